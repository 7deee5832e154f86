# cmake -D OUTPUT=file.cc -D ROOT=templates -D FILES=a.html:b.css -P embed.cmake
# Writes a source file that holds the files, for TemplateFiles. They are written as numbers, because
# their text may hold what means something to CMake or to a C++ literal.
string(REPLACE ":" ";" names "${FILES}")
set(texts "")
set(table "")
set(number 0)
foreach(name IN LISTS names)
  file(READ "${ROOT}/${name}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(REGEX REPLACE "('[^,]*',)('[^,]*',)('[^,]*',)('[^,]*',)" "\\1\\2\\3\\4\n" bytes "${bytes}")
  string(APPEND texts "constexpr char kText${number}[] = {\n${bytes}'\\0'};\n")
  string(APPEND table "    {\"${name}\", {kText${number}, sizeof(kText${number}) - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}"
  "#include \"reports/templates.h\"\n\n"
  "namespace poolproof::reports {\nnamespace {\n${texts}"
  "constexpr TemplateFile kFiles[] = {\n${table}};\n}  // namespace\n\n"
  "std::span<const TemplateFile> TemplateFiles() { return kFiles; }\n\n"
  "}  // namespace poolproof::reports\n")
