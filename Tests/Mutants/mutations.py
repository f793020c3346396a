"""Finds places in Swift sources that can be changed behind a switch, and the changed lines.

Every change stays within its line (a swap of two statements within two), so that a line number in a compiler error names
the mutant. A change that does not compile is dropped by the caller; this file only has to be right often.
"""
import dataclasses, re

# Stands for the call of the switch until the mutant has a number.
SWITCH = "§"


@dataclasses.dataclass(frozen=True)
class Mutation:
    path: str
    line: int  # from 1
    kind: str
    lines: tuple  # the changed lines, from `line` on
    original: str  # the text of the first line, stripped
    is_danger: bool


def blanked(text):
    """The text with the contents of strings and comments replaced by spaces of the same length."""
    result, index, depth = list(text), 0, 0

    def blank(start, end):
        for position in range(start, min(end, len(text))):
            if result[position] != "\n": result[position] = " "

    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)"""(?:.*?)"""\1|#+"(?:[^"\n]|"(?!#))*"#+|"(?:\\.|[^"\\\n])*"', re.S)
    while match := pattern.search(text, index):
        # Interpolations are blanked too: code in them is not mutated.
        end = match.end()
        if match.group().startswith('"') and "\\(" in match.group(): end = string_end(text, match.start())
        blank(match.start(), end)
        index = end
    return "".join(result)


def without_comment(line, code):
    """A line without the comment at its end, which would hide what is put behind it."""
    end = len(code.rstrip())
    return line[:end] if re.match(r"\s*//", line[end:]) else line


def string_end(text, start):
    """The index after a string literal with interpolations that may hold strings."""
    index, depth = start + 1, 0
    while index < len(text) and text[index] != "\n":
        if depth == 0 and text[index] == '"': return index + 1
        if text.startswith("\\(", index): depth, index = depth + 1, index + 2; continue
        if depth and text[index] == "(": depth += 1
        if depth and text[index] == ")": depth -= 1
        if depth and text[index] == '"': index = string_end(text, index); continue
        index += 2 if text[index] == "\\" else 1
    return index


def is_balanced(code):
    depth = []
    for character in code:
        if character in "([{": depth.append(character)
        elif character in ")]}":
            if not depth: return False
            depth.pop()
    return not depth


def split(code, text, separator=","):
    """Ranges of the parts between separators that no bracket holds."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(code):
        if character in "([{": depth += 1
        elif character in ")]}": depth -= 1
        elif character == separator and depth == 0:
            parts.append((start, index)); start = index + 1
    return parts + [(start, len(code))]


OPERATORS = [("comparison", " < ", " <= "), ("comparison", " <= ", " < "), ("comparison", " > ", " >= "), ("comparison", " >= ", " > "),
             ("comparison", " == ", " != "), ("comparison", " != ", " == "), ("logic", " && ", " || "), ("logic", " || ", " && "),
             ("arithmetic", " + ", " - "), ("arithmetic", " - ", " + "), ("range", "..<", "..."), ("end", ".first", ".last"),
             ("end", ".last", ".first"), ("extreme", "min(", "max("), ("extreme", "max(", "min("), ("set", ".union(", ".intersection("),
             ("set", ".subtracting(", ".union("), ("order", ".reversed()", "")]


def changed_expressions(text, code):
    """(kind, changed text, is danger) for an expression."""
    for kind, old, new in OPERATORS:
        for match in re.finditer(re.escape(old) + (r"\b" if old[-1].isalpha() else ""), code):
            yield kind, text[:match.start()] + new + text[match.end():], kind == "comparison"
    for match in re.finditer(r"(?<![\w.$])\d[\d_]*(?![\w.x])", code):
        yield "constant", text[:match.start()] + str(int(match.group().replace("_", "")) + 1) + text[match.end():], False
    for match in re.finditer(r"\b(true|false)\b", code):
        yield "boolean", text[:match.start()] + ("false" if match.group() == "true" else "true") + text[match.end():], False
    for match in re.finditer(r"(?<![\w)\]])!(?=[\w(])", code):
        yield "negation", text[:match.start()] + text[match.end():], False
    for match in re.finditer(r"\.sorted(\(\)|\(by: [^()]*\)| \{[^{}]*\})", code):
        # Of the same type as the sorted array.
        yield "sort removed", text[:match.start()] + r".map(\.self)" + text[match.end():], True
    # Of the least and the largest of two the order does not matter.
    for match in re.finditer(r"(?<!\bmin)(?<!\bmax)\((\w+: )?([\w.]+), (\w+: )?([\w.]+)\)", code):
        first, second = match.group(2), match.group(4)
        if first != second:
            swapped = f"({match.group(1) or ''}{second}, {match.group(3) or ''}{first})"
            yield "arguments swapped", text[:match.start()] + swapped + text[match.end():], True


def in_expression(prefix, text, code, suffix):
    """(kind, line, is danger) for the changes of an expression between a prefix and a suffix."""
    lead = re.match(r"\s*(?:(?:try[?!]?|await)\s+)*", code).group()
    body, masked = text[len(lead):], code[len(lead):]
    # Expressions that are statements, and closures over several lines, cannot be operands.
    if not body.strip() or re.match(r"(if|switch)\b", masked): return
    for kind, changed, danger in changed_expressions(body, masked):
        yield kind, f"{prefix}{lead}({SWITCH} ? ({changed}) : ({body})){suffix}", danger


CALL = re.compile(r"^(?:try |await )*[\w.!?$]+(?:\([^{}]*\)|\[[^\[\]]*\])*\([^{}]*\)$")
CONTINUES = re.compile(r"^\s*(\.|\+|-|&&|\|\||\?|:|==|<|>|\)|\]|\})")


def is_call(code): return bool(CALL.match(code.strip())) and not re.match(r"\s*(return|let|var|if|guard|while|for|switch|case|throw|init|super|self\.init|assert|precondition|fatalError)\b", code)


# What holds where the mutants are built, among the conditions of `#if`.
HOLDS = {"os(Linux)", "canImport(FoundationNetworking)", "Patches", "DEBUG"}


def without_uncompiled(code_lines):
    """The lines with those emptied that `#if` leaves out of the build, whose mutants nothing could notice."""
    result, open_ = [], []  # for each open `#if` whether its present part is compiled, and whether a part was

    def holds(condition):
        words = re.sub(r"\w+\([^()]*\)|\w+", lambda match: str(match.group() in HOLDS), condition)
        return eval(words.replace("&&", " and ").replace("||", " or ").replace("!", " not "))

    for line in code_lines:
        directive = re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line)
        if directive:
            word, condition = directive.groups()
            if word == "if": open_.append([holds(condition)] * 2)
            elif word == "endif": open_.pop()
            else: open_[-1] = [is_compiled := not open_[-1][1] and (word == "else" or holds(condition)), is_compiled or open_[-1][1]]
        result.append(line if not directive and all(is_compiled for is_compiled, _ in open_) else "")
    return result


def early_return(result):
    """What a function returns that returns at once; None where that is not known."""
    result = result.strip()
    if result == "": return "return"
    if result.endswith("?"): return "return nil"
    if result == "Bool": return "return false"
    if re.match(r"^\[[^:]*\]$", result): return "return []"
    return None


def mutations(path, text):
    """All changes of a source file that may compile."""
    code_lines = without_uncompiled(blanked(text).split("\n"))
    lines = [without_comment(line, code) for line, code in zip(text.split("\n"), code_lines)]
    depth_of_function = [False] * len(lines)
    open_, pending = [], False
    for number, code in enumerate(code_lines):
        if re.search(r"\b(func|init|deinit|subscript)\b[^{]*$|\b(func|init|deinit|subscript)\b.*\{", code) or re.search(r"\bvar \w+: [^={]*\{\s*$", code): pending = True
        depth_of_function[number] = any(open_)
        for character in code:
            if character == "{": open_.append(pending); pending = False
            elif character == "}" and open_: open_.pop()

    for number, (line, code) in enumerate(zip(lines, code_lines)):
        def found(kind, new, danger, count=1):
            return Mutation(path, number + 1, kind, (new,) if count == 1 else new, line.strip(), danger)

        function = re.match(r"^\s+(?:@\w+ )*(?:(?:package|public|private|static|mutating|override|fileprivate|final) )*func \w+[^{]*\)(?: async)?(?: throws(?:\(\w+\))?)?(?: -> (.*?))? \{$", code)
        if function and is_balanced(code[:-1]):
            if statement := early_return(function.group(1) or ""):
                yield found("early return", f"{line} if {SWITCH} {{ {statement} }}", True)
            continue
        if not depth_of_function[number] or not code.strip(): continue
        indent = line[:len(line) - len(line.lstrip())]
        stripped, masked = line.strip(), code.strip()
        before = next((each.rstrip() for each in reversed(code_lines[:number]) if each.strip()), "")
        after = next((each for each in code_lines[number + 1:] if each.strip()), "")
        if re.search(r"[,(\[=+\-*/&|?:]$|\breturn$|->$", before) and not re.search(r"\bcase\b.*:$|\bdefault:$|^\s*\w+:$", before): continue

        conditional = re.match(r"^(\}? ?(?:else )?(?:if|while|guard) )(.*?)( else)? \{(.*)$", masked)
        if conditional and is_balanced(conditional.group(2)):
            head, (start, end) = conditional.group(1), conditional.span(2)
            for left, right in split(masked[start:end], stripped):
                part, part_code = stripped[start + left:start + right], masked[start + left:start + right]
                if re.search(r"\b(let|var|case)\b|#", part_code): continue
                pad = part[:len(part) - len(part.lstrip())]
                prefix, suffix = indent + stripped[:start + left] + pad, stripped[start + right:]
                lead = re.match(r"\s*(?:(?:try[?!]?|await)\s+)*", part.lstrip()).group()
                body = part.lstrip()[len(lead):]
                if "guard" in head: yield found("guard removed", f"{prefix}{lead}({SWITCH} || ({body})){suffix}", True)
                else: yield found("condition false", f"{prefix}{lead}(!{SWITCH} && ({body})){suffix}", False)
                for kind, new, danger in in_expression(prefix, part.lstrip(), part_code.lstrip(), suffix): yield found(kind, new, danger)
            continue
        if not is_balanced(masked) or CONTINUES.match(after) and not re.match(r"^\s*\}", after): continue
        if match := re.match(r"^(return |(?:let|var) \w+(?:: [\w.\[\]<>?, ]+)? = |[\w.\[\]!?$]+ (?:\+|-)?= )(.+)$", masked):
            start = match.start(2)
            if "{" not in masked[start:] or re.search(r"\}\)?$", masked):
                for kind, new, danger in in_expression(indent + stripped[:start], stripped[start:], masked[start:], ""): yield found(kind, new, danger)
        elif masked in ("continue", "break"):
            yield found("jump removed", f"{indent}if !{SWITCH} {{ {stripped} }}", False)
        elif match := re.match(r"^defer \{ (.*) \}$", masked):
            yield found("defer removed", f"{indent}defer {{ if !{SWITCH} {{ {stripped[match.start(1):match.end(1)]} }} }}", True)
        # Reserving memory changes no result.
        elif is_call(masked) and not re.match(r"[\w.]+\.reserveCapacity\(", masked):
            flush = re.search(r"sync\w*\(|flush|Sync", masked)
            yield found("flush removed" if flush else "call removed", f"{indent}if !{SWITCH} {{ {stripped} }}", True)
            if masked.startswith("try "):
                yield found("error ignored", f"{indent}if {SWITCH} {{ _ = try? {stripped[4:]} }} else {{ {stripped} }}", True)
            # The value of a statement is not used, so both ways are statements.
            for kind, changed, danger in changed_expressions(stripped, masked):
                yield found(kind, f"{indent}if {SWITCH} {{ {changed} }} else {{ {stripped} }}", danger)
            following, following_code = lines[number + 1] if number + 1 < len(lines) else "", code_lines[number + 1].strip() if number + 1 < len(lines) else ""
            if is_call(following_code) and is_balanced(following_code) and not CONTINUES.match(code_lines[number + 2] if number + 2 < len(lines) else ""):
                other = following.strip()
                if other == stripped: continue
                yield found("steps reordered", (f"{indent}if {SWITCH} {{ {other} }} else {{ {stripped} }}",
                                                f"{indent}if {SWITCH} {{ {stripped} }} else {{ {other} }}"), True, 2)
