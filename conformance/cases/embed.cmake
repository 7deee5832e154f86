# cmake -D OUTPUT=file.cc -D ROOT=specs -D FILES=a.json:openvino/b.json -P embed.cmake
# Writes a source file that holds the files, for LoadSpecs without a directory.
string(REPLACE ":" ";" paths "${FILES}")
set(texts "")
set(table "")
set(number 0)
foreach(path IN LISTS paths)
  file(READ "${ROOT}/${path}" text)
  # Adjacent literals keep each below the length that every compiler has to support.
  string(LENGTH "${text}" length)
  set(literals "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 16000 piece)
    string(APPEND literals "R\"specs(${piece})specs\"\n")
    math(EXPR begin "${begin} + 16000")
  endwhile()
  string(APPEND texts "constexpr std::string_view kText${number} =\n${literals};\n")
  string(APPEND table "    {\"${path}\", kText${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}"
  "#include \"conformance/cases/embedded.h\"\n\n"
  "namespace poolproof {\nnamespace {\n${texts}"
  "constexpr EmbeddedFile kFiles[] = {\n${table}};\n}  // namespace\n\n"
  "std::span<const EmbeddedFile> EmbeddedSpecs() { return kFiles; }\n\n}  // namespace poolproof\n")
