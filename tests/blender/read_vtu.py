"""Reads show.pvd and its frames with VTK and compares points, cells and fields.

usage: python3 read_vtu.py FOLDER
"""
import os
import sys
import xml.etree.ElementTree

import vtk

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import expected

FPS = 25
folder = sys.argv[1]
positions = expected.read(folder, "positions.txt")
fields = expected.read(folder, "fields.txt")
frames = 1 + max(frame for frame, _ in positions)
listed = xml.etree.ElementTree.parse(os.path.join(folder, "show.pvd")).findall("./Collection/DataSet")
if len(listed) != frames:
    raise SystemExit(f"{len(listed)} frames are listed, expected {frames}")


def rows(values, frame):
    return [row for key in values if key[0] == frame for row in values[key]]


for frame, entry in enumerate(listed):
    if float(entry.get("timestep")) != frame / FPS:
        raise SystemExit(f"frame {frame} is at {entry.get('timestep')} s")
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(os.path.join(folder, entry.get("file")))
    reader.Update()
    if reader.GetErrorCode():
        raise SystemExit(f"frame {frame}: VTK cannot read it")
    grid = reader.GetOutput()
    points = [grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())]
    expected.compare(points, rows(positions, frame), 1e-6, f"points of frame {frame}")
    strain = grid.GetCellData().GetArray("strain")
    found = [[strain.GetValue(i)] for i in range(strain.GetNumberOfTuples())]
    expected.compare(found, rows(fields, frame), 1e-4, f"strain of frame {frame}")
    types = [grid.GetCellType(i) for i in range(grid.GetNumberOfCells())]
    if types[:3] != [vtk.VTK_QUAD, vtk.VTK_TRIANGLE, vtk.VTK_POLYGON] or set(types[3:]) != {vtk.VTK_TETRA}:
        raise SystemExit(f"cells of frame {frame} are of types {types}")
    volumes = [vtk.vtkMeshQuality.TetVolume(grid.GetCell(i)) for i in range(3, len(types))]
    if frame == 0 and min(volumes) <= 0:
        raise SystemExit("tets are inside out")
print(f"vtu: {frames} frames")
