# Prints a file of a tag, out of the packs of a built folder:
#
#   godot3-server --path . --script main.gd --packs=DIR --tag="Level 1" --file=Levels/1/map.json
extends SceneTree


func _init():
	quit(run(arguments()))


func run(options):
	var index = read_json(options.packs + "/index.json")
	if index == null or not index.tags.has(options.tag):
		printerr("no index, or no such tag")
		return 1
	for pack in index.packs:
		if not pack.id in index.tags[options.tag].packs:
			continue
		# The files of all packs share res://; false keeps what the game itself has there.
		if not ProjectSettings.load_resource_pack(options.packs + "/" + pack.archive.path, false):
			printerr("cannot mount ", pack.archive.path)
			return 1
	var file = File.new()
	if file.open("res://" + name_in_zip(options.file), File.READ) != OK:
		printerr("no pack of the tag has ", options.file)
		return 1
	print(file.get_as_text())
	return 0


# Godot 3 takes each byte of a name in a zip for a character, so that a name in UTF-8 has other letters than one thinks.
func name_in_zip(path):
	return path.to_utf8().get_string_from_ascii()


func read_json(path):
	var file = File.new()
	if file.open(path, File.READ) != OK:
		return null
	return JSON.parse(file.get_as_text()).result


func arguments():
	var options = {}
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--") and "=" in argument:
			var parts = argument.substr(2).split("=", true, 1)
			options[parts[0]] = parts[1]
	return options
