# Writes a C file with the texts of scenes and clips: cmake -DOUTPUT=FILE -DFOLDER=FOLDER -P embed_scenes.cmake
file(GLOB scenes ${FOLDER}/*.json ${FOLDER}/*.bvh)
list(SORT scenes)
set(arrays "")
set(rows "")
foreach(scene IN LISTS scenes)
  get_filename_component(name ${scene} NAME_WE)
  file(READ ${scene} bytes HEX)
  # sixteen to a line
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const char ${name}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${name}\", ${name}, sizeof ${name} - 1},\n")
endforeach()
file(
  WRITE ${OUTPUT}
  "// Made of scenes/experiments by cmake/embed_scenes.cmake.\n"
  "#include \"experiments/experiment.h\"\n\n"
  "${arrays}\nconst ExperimentScene experiment_scenes[] = {\n${rows}    {0},\n};\n"
)
