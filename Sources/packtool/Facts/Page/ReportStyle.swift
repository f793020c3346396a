/// How a page looks where styles are allowed: light and dark, narrow screens, print.
let reportStyle: StaticString = """
  :root{--bg:#fff;--ink:#1b1b1a;--dim:#5c5c58;--line:#dcdcd6;--soft:#f5f5f1;--acc:#1f5fa8;--i:#1f4e8c;--it:#fff;--p:#6f9fd8;--o:#bcd3ee;--u:#c8c8c4;--gap:#fff;--bad:#a4262c;--warn:#8a5a00}
  @media(prefers-color-scheme:dark){:root{--bg:#161718;--ink:#e8e8e4;--dim:#a3a39d;--line:#35373a;--soft:#1f2123;--acc:#86b6f0;--i:#a9cdf7;--it:#111;--p:#5a8fcb;--o:#33506f;--u:#57585a;--gap:#161718;--bad:#ff8f8a;--warn:#e6b450}}
  *{box-sizing:border-box}
  body{margin:0 auto;padding:24px 28px 48px;max-width:1240px;background:var(--bg);color:var(--ink);font:14px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
  h1{font-size:24px;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
  h2{font-size:17px;margin:40px 0 10px;padding-top:14px;border-top:1px solid var(--line)}
  h3{font-size:14px;margin:22px 0 6px;overflow-wrap:anywhere}
  header p,.note,.key,footer,caption{color:var(--dim)}
  header p{margin:0 0 12px}
  nav ul{display:flex;flex-wrap:wrap;gap:4px 18px;list-style:none;margin:0;padding:0}
  a{color:var(--acc);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}
  :focus-visible{outline:2px solid var(--acc);outline-offset:1px}
  section:first-child h2{margin-top:22px}
  .heads{list-style:none;padding:0;margin:0;max-width:86ch}
  .heads li{padding:7px 0 7px 12px;border-left:3px solid var(--line);margin:0 0 6px;overflow-wrap:anywhere}
  .heads .bad{border-color:var(--bad)}.heads .warning{border-color:var(--warn)}
  .bad strong,tr.error>th{color:var(--bad)}.warning strong,tr.warning>th{color:var(--warn)}
  .wide,.pic{overflow-x:auto;margin:6px 0 10px}
  .tall{max-height:620px;overflow:auto;border:1px solid var(--line);border-radius:6px;padding:8px 12px}.tall thead th{position:sticky;top:-9px;background:var(--bg)}
  .pic svg{display:block;min-width:840px;height:auto}.wide+.wide,.pic+.wide{margin-top:18px}
  table{border-collapse:collapse;font-size:13px}
  table.sort{min-width:min(100%,660px)}
  caption{text-align:left;padding:0 0 6px;font-size:13px}
  th,td{padding:4px 10px 4px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}
  td{overflow-wrap:break-word}.sort td:not(.n){min-width:8em}
  tbody th{min-width:11em;max-width:34em;overflow-wrap:anywhere}
  thead th{color:var(--dim);white-space:nowrap;vertical-align:bottom}
  .n,thead th.n{text-align:right;padding-left:18px;font-variant-numeric:tabular-nums;white-space:nowrap}
  thead th button{all:unset;cursor:pointer;color:inherit}thead th button:focus-visible{outline:2px solid var(--acc)}
  th[aria-sort=ascending] button::after{content:" \\2191"}th[aria-sort=descending] button::after{content:" \\2193"}
  tbody tr:hover{background:var(--soft)}
  code{font:12px ui-monospace,Menlo,Consolas,monospace}small{color:var(--dim)}
  .key span{white-space:nowrap}td:has(svg){white-space:nowrap}
  .note,.key{font-size:13px;margin:4px 0 10px}
  svg .i{fill:var(--i)}svg .p{fill:var(--p)}svg .o{fill:var(--o)}svg .u{fill:var(--u)}
  svg .t{fill:var(--ink)}svg .lim{stroke:var(--bad)}svg .lim+.t{fill:var(--bad)}svg .axis{stroke:var(--dim)}
  svg .l,svg .ot,svg .pt,svg .ut{fill:var(--ink)}svg .i .l,svg .it{fill:var(--it)}svg .p .l,svg .pt{fill:#111}
  svg .f rect,svg .r rect{stroke:var(--gap)}
  svg .track{fill:var(--line)}svg .fine{fill:var(--acc)}svg .near{fill:var(--warn)}svg .over{fill:var(--bad)}
  #map [role=button]{cursor:zoom-in}#map .dim{opacity:.16}#map text{pointer-events:none}
  .find{display:flex;flex-wrap:wrap;gap:8px 14px;align-items:center;margin:4px 0 10px}
  input[type=search],.find button,.choice button{font:inherit;color:inherit;background:var(--soft);border:1px solid var(--line);border-radius:5px;padding:5px 10px}
  input[type=search]{flex:1 1 220px;max-width:360px}
  button[aria-pressed=true]{border-color:var(--acc);color:var(--acc)}
  output{font-variant-numeric:tabular-nums}
  .matrix{width:auto}.matrix td{padding:1px 2px;text-align:center;color:var(--acc);border-color:var(--soft)}.matrix td.n{color:inherit;padding:1px 12px 1px 0}.matrix thead th{padding:0 2px 2px}
  .matrix tbody th{white-space:nowrap;max-width:22em;overflow:hidden;text-overflow:ellipsis;padding:1px 12px 1px 0;min-width:0}
  .matrix td.drag{color:var(--bad)}.matrix .on{background:var(--soft);outline:1px solid var(--acc)}.matrix .along{background:var(--soft);outline:1px dashed var(--bad)}
  .matrix th,.matrix td{vertical-align:middle}.matrix thead th{vertical-align:bottom}.matrix label{cursor:pointer}
  .gauge{width:auto}.gauge .s{text-align:center;padding:2px 7px 2px 0}.gauge abbr{text-decoration:none}.s3{color:var(--acc);font-weight:700}.s4{color:var(--bad)}.s0{color:var(--dim)}
  footer{margin-top:44px;font-size:12px}
  @media(max-width:1000px){.pic svg:not(#map){font-size:12px}}
  @media(max-width:700px){body{padding:16px 14px 32px}h2{margin-top:30px}th,td{padding-right:8px}tbody th{min-width:9em}nav ul{gap:4px 14px}}
  @media print{body{max-width:none;padding:0;font-size:11px}.find,.choice,nav{display:none}.wide,.pic{overflow:visible;max-height:none}.pic svg{min-width:0}section{break-inside:auto}h2{break-after:avoid}tr{break-inside:avoid}}
  """
