#!/bin/sh
# Writes the bad files that are not text to the folder $1. Octal escapes, numbers with the lowest byte first.
cd "$1" || exit 1
zeros() { head -c "$1" /dev/zero; }

printf 'junk' >stl-header.stl
{ zeros 80; printf '\000\055\061\001'; zeros 900; } >stl-huge.stl                           # 20 million triangles
{ zeros 80; printf '\001\000\000\000'; zeros 20; printf '\000\000\200\177'; zeros 26; } >stl-infinite.stl
{ zeros 80; printf '\002\000\000\000'; zeros 50; } >stl-short.stl                           # one triangle of two

ply="ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
ply="${ply}element face 1\nproperty list uint int vertex_indices\nend_header\n"
{ printf "$ply"; zeros 12; printf '\000\000\000\100'; } >ply-list-huge.ply                  # a face of 4 GB
{ printf "$ply"; zeros 12; printf '\001\000\000\000\377\377\377\377'; } >ply-index-negative.ply
{ printf "$ply"; zeros 10; } >ply-cut.ply
{ printf 'ply\nformat binary_big_endian 1.0\nelement vertex 100000000\nproperty double x\nproperty double y\n'
  printf 'property double z\nend_header\n'; zeros 900; } >ply-binary-huge.ply               # 2.4 GB of vertices

{ printf '$MeshFormat\n4.1 1 8\n\007\000\000\000'; } >msh-byte-order.msh
{ printf '$MeshFormat\n4.1 1 8\n\001\000\000\000\n$EndMeshFormat\n$Nodes\n'
  printf '\001\000\000\000\000\000\000\000'; zeros 24; zeros 12
  printf '\000\000\000\100\000\000\000\000'; zeros 900; } >msh-block-huge.msh               # a billion nodes

{ printf '# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 float\n'
  printf '\177\200\000\000'; zeros 8; } >vtk-infinite.vtk
{ printf '# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 90000000 double\n'
  zeros 900; } >vtk-binary-huge.vtk

printf 'POINTCACHE3\000' >pc2-not.pc2
pc2='POINTCACHE2\000\001\000\000\000'
start='\000\000\000\000\000\000\200\077' # at frame 0, in steps of 1.0
{ printf "$pc2"'\000\000\000\004'"$start"'\001\000\000\000'; zeros 900; } >pc2-huge.pc2      # 67 million vertices
{ printf "$pc2"'\001\000\000\000'"$start"'\001\000\000\000'; zeros 15; } >pc2-long.pc2
{ printf "$pc2"'\001\000\000\000'; zeros 8; printf '\001\000\000\000'; zeros 12; } >pc2-step.pc2
{ printf '\177\377\377\377\000\000\000\001'; zeros 900; } >mdd-huge.mdd                     # two billion frames
{ printf '\000\000\000\001\000\000\000\001'; zeros 10; } >mdd-cut.mdd

printf 'v 0 0 0\nf 1 1 \000\n' >obj-zero-byte.obj
printf '{ "bodies": [{ "name": "\377" }] }\n' >json-not-utf8.json
{ printf '{ "bodies": '; head -c 1000 /dev/zero | tr '\000' '['; } >json-deep.json
