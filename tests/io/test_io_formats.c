/* test_io_formats.c - each format of meshes: what other programs write, what comes back, what is
 * refused, and damage of any kind.
 * covers: io/mesh/stl_read.c io/mesh/ply_read.c io/mesh/off_read.c io/mesh/medit_read.c
 * io/mesh/gmsh_read.c io/mesh/vtk_read.c io/mesh/vtk_cells.c io/mesh/vtk_arrays.c
 * io/mesh/vtk_xml_read.c io/mesh/abaqus_read.c io/mesh/gltf_read.c io/mesh/gltf_arrays.c
 * io/mesh/mjcf_read.c io/mesh/numbered.c io/mesh/xml.c io/mesh/base64.c io/mesh/plain_write.c
 * io/mesh/soup.c io/mesh/scan.c */
#define _POSIX_C_SOURCE 200809L
#include "failing.h"
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static piola_io_error error;
static piola_io_mesh *mesh;
static char folder[64];

void setUp(void)
{
    mesh = NULL;
}

void tearDown(void)
{
    piola_io_mesh_free(mesh);
}

/* ---- samples: a tetrahedron with corners at the origin and 1 m along each axis ---- */

struct sample {
    const char *name;
    const char *text;
    bool solid;
};

#define STL_SIDE(a, b, c)                                                                          \
    "facet normal nan nan nan\nouter loop\nvertex " a "\nvertex " b "\nvertex " c                  \
    "\nendloop\nendfacet\n"
#define O "0 0 0"
#define X "1 0 0"
#define Y "0 1e0 0"
#define Z "0 0 +1.0"

static const struct sample samples[] = {
    {"a.stl",
     "solid a thing facet\n" STL_SIDE(O, Y, X) STL_SIDE(O, X, Z) "endsolid a thing\n"
                                                                 "solid\r\n" STL_SIDE(O, Z, Y)
                                                                     STL_SIDE(X, Y, Z) "endsolid",
     false},
    {"a.ply",
     "ply\nformat ascii 1.0\ncomment of somebody\nelement vertex 4\nproperty float nx\n"
     "property float x\nproperty float y\nproperty float z\nelement face 4\n"
     "property uchar red\nproperty list uchar int vertex_indices\nelement edge 1\n"
     "property list uchar int what\nend_header\n"
     "7 0 0 0\n7 1 0 0\n7 0 1 0\n7 0 0 1\n9 3 0 2 1\n9 3 0 1 3\n9 3 0 3 2\n9 3 1 2 3\n2 5 6\n",
     false},
    {"a.off",
     "# comment\nCOFF\n4 4 6\n0 0 0 255 0 0\n1 0 0 # x\n0 1 0\n0 0 1\n3 0 2 1 1 0 0\n3 0 1 3\n"
     "3 0 3 2\n3 1 2 3",
     false},
    {"a.mesh",
     "MeshVersionFormatted 1\nDimension\n3\nVertices\n5\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n"
     "9 9 9 1\n# unused\nEdges\n1\n1 2 7\nRequiredVertices 1 3\nTriangles\n1\n1 2 3 0\n"
     "Tetrahedra\n1\n1 2 3 4 6\nEnd\n",
     true},
    {"a.msh",
     "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 6 \"a $Nodes\"\n"
     "$EndPhysicalNames\n$Nodes\n4\n10 0 0 0\n7 1 0 0\n900000000000 0 1 0\n8 0 0 1\n$EndNodes\n"
     "$Elements\n3\n1 15 2 0 1 10\n2 2 2 0 1 10 7 8\n3 4 3 6 1 0 10 7 900000000000 8\n"
     "$EndElements\n",
     true},
    {"b.MSH",
     "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n6 0 0 0 1 1 1 0 0\n$EndEntities\n"
     "$Nodes\n2 4 1 4\n0 1 0 1\n4\n0 0 1\n3 6 1 3\n1\n2\n3\n0 0 0 5 5 5\n1 0 0 5 5 5\n0 1 0 5 5 5\n"
     "$EndNodes\n$Elements\n2 2 1 2\n0 1 15 1\n1 4\n3 6 4 1\n2 1 2 3 4\n$EndElements\n",
     true},
    {"a.vtk",
     "# vtk DataFile Version 3.0\na title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
     "0 0 0 1 0 0 0 1 0 0 0 1\n\nCELLS 2 7\n4 0 1 2 3\n1 0\nCELL_TYPES 2\n10\n1\nCELL_DATA 2\n",
     true},
    {"b.vtk",
     "# vtk DataFile Version 5.1\na title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
     "0 0 0 1 0 0 0 1 0 0 0 1 \nMETADATA\nINFORMATION 0\n\nCELLS 2 4\nOFFSETS vtktypeint64\n0 4\n"
     "CONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n10\n",
     true},
    {"c.vtk",
     "# vtk DataFile Version 2.0\na title\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n"
     "0 0 0 1 0 0 0 1 0 0 0 1\nPOLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n",
     false},
    {"a.inp",
     "*Heading\n"
     "** a comment\n"
     "*NODE, NSET=ALL\n"
     " 10, 0., 0., 0.\n"
     " 7, 1., 0.\n"
     " 900000, 0., 1e0, 0.\n"
     "8,0,0,1\n"
     "*ELEMENT, type=C3D4, ELSET=first\n"
     "*Element, TYPE=T3D2, ELSET=line\n"
     "1, 10, 7\n"
     "*ELEMENT, TYPE=c3d4h, ELSET=Heart\n"
     "3, 10, 7,\n"
     "900000, 8\n"
     "*MATERIAL, NAME=rubber\n"
     "*ELASTIC\n"
     "1e5, 0.3\n",
     true},
    {"a.vtu",
     "<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\"><UnstructuredGrid>\n"
     "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"><Points/><Cells/></Piece>\n"
     "<Piece NumberOfPoints=\"4\" NumberOfCells=\"2\"><Points>\n"
     "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0\n"
     "0 1 0 0 0 1</DataArray></Points><Cells><DataArray type=\"Int64\" Name=\"connectivity\""
     ">\n"
     "0 1 2 3 0</DataArray><DataArray type=\"Int64\" Name=\"offsets\">4 5</DataArray>\n"
     "<DataArray type=\"UInt8\" Name=\"types\">10 1</DataArray></Cells></Piece>\n"
     "</UnstructuredGrid></VTKFile>",
     true},
    {"z.vtu",
     "<?xml version=\"1.0\"?><!-- < a -->\n"
     "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\" compre"
     "ssor=\"vtkZLibDataCompressor\">\n"
     "<UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n"
     "<PointData/><Points><DataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\""
     "3\" format=\"binary\">AgAAACAAAAAQAAAAEAAAAA0AAAA=eJxjYEAGDfYMaHwADo4Bf3icY2BABg32AAF"
     "PAMA=</DataArray>\n"
     "</Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" NumberOfComponents=\""
     "1\" format=\"binary\">AQAAACAAAAAQAAAAEwAAAA==eJxjYGBgYARiJiBmBmIAADgABw==</DataArray"
     ">\n"
     "<DataArray type=\"Int32\" Name=\"offsets\" NumberOfComponents=\"1\" format=\"binary\""
     ">AQAAACAAAAAEAAAADAAAAA==eJxjYWBgAAAAFAAF</DataArray>\n"
     "<DataArray type=\"UInt8\" Name=\"types\" NumberOfComponents=\"1\" format=\"binary\">A"
     "QAAACAAAAABAAAACQAAAA==eJzjAgAACwAL</DataArray>\n"
     "</Cells></Piece></UnstructuredGrid></VTKFile>\n",
     true},
    {"a.vtp",
     "<VTKFile type=\"PolyData\"><PolyData><Piece><Points><DataArray type=\"Float32\" forma"
     "t=\"ascii\">\n"
     "0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Strips><DataArray type=\"Int32\" Name=\""
     "connectivity\">\n"
     "0 2 1 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\">4</DataArray></Strips><"
     "Polys>\n"
     "<DataArray type=\"Int32\" Name=\"connectivity\">0 1 3 0 3 2</DataArray>\n"
     "<DataArray type=\"Int32\" Name=\"offsets\">3 6</DataArray></Polys></Piece></PolyData>"
     "</VTKFile>",
     false},
    {"a.gltf",
     "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
     "{\"translation\":[1,0,0],\"children\":[1]},{\"translation\":[-1,0,0],\"mesh\":0}],\"m"
     "eshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},{\"mode\":1"
     ",\"attributes\":{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType"
     "\":5126,\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,\"cou"
     "nt\":12,\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"bu"
     "ffer\":0,\"byteOffset\":48,\"byteLength\":24}],\"buffers\":[{\"byteLength\":72,\"uri\""
     ":\"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AA"
     "AAAAAAAAAAAAAAAAIA/AAACAAEAAAABAAMAAAADAAIAAQACAAMA\"}]}",
     false},
    {"a.xml",
     "<?xml version=\"1.0\"?>\n"
     "<mujoco model=\"m\"><!-- <flex/> -->\n"
     "<deformable>\n"
     "<flex name=\"a\" dim=\"3\" body=\"world\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" element="
     "\"0 1 2 3\"/>\n"
     "</deformable></mujoco>\n",
     true},
    {"b.xml",
     "<mujoco><worldbody><body><flexcomp type='direct' name='b' dim='2' scale='.5 1 1' poin"
     "t='0 0 0 2 0 0\n"
     "0 1 0 0 0 1' element='0 2 1 0 1 3 0 3 2 1 2 3'/></body></worldbody></mujoco>",
     false},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static piola_io_status parse(const char *name, const void *data, size_t bytes)
{
    return piola_io_mesh_parse(data, bytes, name, NULL, &mesh, &error);
}

static void is_the_tetrahedron(const struct sample *sample)
{
    piola_io_mesh_facts facts;
    TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, piola_io_mesh_inspect(mesh, &facts, &error), error.text);
    TEST_ASSERT_EQUAL_MESSAGE(4, piola_io_mesh_contents(mesh).vertex_count, sample->name);
    TEST_ASSERT_EQUAL_MESSAGE(4, facts.surface_triangles, sample->name);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-7, 1.0 / 6, facts.volume, sample->name);
    TEST_ASSERT_TRUE_MESSAGE(facts.closed, sample->name);
    TEST_ASSERT_EQUAL_MESSAGE(sample->solid, piola_io_mesh_contents(mesh).tetrahedron_count == 1,
                              sample->name);
    TEST_ASSERT_EQUAL_MESSAGE(0, facts.inverted, sample->name);
}

static void test_what_other_programs_write_is_read(void)
{
    for (int i = 0; i < SAMPLES; ++i) {
        const piola_io_status status =
            parse(samples[i].name, samples[i].text, strlen(samples[i].text));
        if (status && strstr(error.text, "without zlib"))
            continue;
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, status, error.text);
        is_the_tetrahedron(&samples[i]);
        const uint32_t *regions = piola_io_mesh_contents(mesh).regions;
        if (strstr(samples[i].name, ".m") || strstr(samples[i].name, ".MSH"))
            TEST_ASSERT_TRUE_MESSAGE(regions && regions[0] == 6, samples[i].name);
        if (strstr(samples[i].name, ".inp")) /* the third set of elements */
            TEST_ASSERT_TRUE_MESSAGE(regions && regions[0] == 2, samples[i].name);
        piola_io_mesh_free(mesh);
        mesh = NULL;
    }
}

/* ---- binary files ---- */

static size_t put(char *at, const void *data, size_t bytes, bool big)
{
    const uint16_t one = 1;
    const bool turn = big == (*(const unsigned char *)&one == 1);
    for (size_t i = 0; i < bytes; ++i)
        at[i] = ((const char *)data)[turn ? bytes - 1 - i : i];
    return bytes;
}

static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static size_t put_corners(char *at, bool big)
{
    size_t used = 0;
    for (int v = 0; v < 4; ++v)
        for (int k = 0; k < 3; ++k)
            used += put(at + used, &corners[v][k], 4, big);
    return used;
}

static size_t binary_ply(char *text, bool big)
{
    const unsigned char three = 3;
    size_t used = (size_t)sprintf(
        text,
        "ply\r\nformat binary_%s_endian 1.0\r\nelement vertex 4\r\nproperty float x\r\n"
        "property float y\r\nproperty float z\r\nelement face 4\r\n"
        "property list uchar int vertex_index\r\nend_header\r\n",
        big ? "big" : "little");
    used += put_corners(text + used, big);
    for (int t = 0; t < 4; ++t) {
        used += put(text + used, &three, 1, big);
        for (int k = 0; k < 3; ++k)
            used += put(text + used, &sides[t][k], 4, big);
    }
    return used;
}

/* Its head begins with "solid", as some programs have it. */
static size_t binary_stl(char *text)
{
    const uint32_t count = 4;
    size_t used = 84;
    memset(text, 0, 84);
    memcpy(text, "solid of bytes", sizeof "solid of bytes");
    put(text + 80, &count, 4, false);
    for (int t = 0; t < 4; ++t) {
        memset(text + used, 0, 50);
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                put(text + used + 12 + 12 * c + 4 * k, &corners[sides[t][c]][k], 4, false);
        used += 50;
    }
    return used;
}

static size_t binary_vtk(char *text)
{
    static const int32_t cell[] = {4, 0, 1, 2, 3}, kind = 10;
    size_t used = (size_t)sprintf(text, "# vtk DataFile Version 3.0\nt\nBINARY\n"
                                        "DATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n");
    used += put_corners(text + used, true);
    used += (size_t)sprintf(text + used, "\nCELLS 1 5\n");
    for (int i = 0; i < 5; ++i)
        used += put(text + used, &cell[i], 4, true);
    used += (size_t)sprintf(text + used, "\nCELL_TYPES 1\n");
    return used + put(text + used, &kind, 4, true);
}

/* What no text can show, from the corpora of the fuzzers. */
static size_t from_corpus(const char *name, char *text, size_t room)
{
    char path[600];
    const char *folder_of_sources = getenv("PIOLA_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/fuzz/corpus/%s", folder_of_sources ? folder_of_sources : ".",
             name);
    FILE *file = fopen(path, "rb");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    const size_t bytes = fread(text, 1, room, file);
    fclose(file);
    return bytes;
}

static void test_binary_samples_are_read(void)
{
    static const struct {
        const char *path, *name;
    } files[] = {{"mesh_vtu/raw", "a.vtp"}, {"mesh_glb/one", "a.glb"}};
    static char text[2000];
    for (int kind = 0; kind < 2; ++kind) {
        const struct sample sample = {files[kind].name, NULL, false};
        const size_t bytes = from_corpus(files[kind].path, text, sizeof text);
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, parse(sample.name, text, bytes), error.text);
        is_the_tetrahedron(&sample);
        piola_io_mesh_free(mesh);
        mesh = NULL;
        /* Shorter files are refused: all but those that lack no more than what closes tags. */
        for (size_t less = 0; less + 25 < bytes; ++less)
            TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_ERROR_CONTENT, parse(sample.name, text, less),
                                      sample.name);
    }
}

/* A .gltf with its numbers in a file beside it, and one that names a file elsewhere. */
static void test_buffers_are_files_beside_their_mesh(void)
{
    static const char *const uris[] = {"a.bin", "../a.bin", "%2e/a.bin", "none.bin"};
    static char text[2000], json[2000];
    char path[200];
    const size_t bytes = from_corpus("mesh_glb/one", text, sizeof text);
    const char *binary = text + bytes - 72;
    snprintf(path, sizeof path, "%s/a.bin", folder);
    FILE *file = fopen(path, "wb");
    TEST_ASSERT_NOT_NULL(file);
    fwrite(binary, 1, 72, file);
    fclose(file);
    for (int i = 0; i < 4; ++i) {
        text[bytes - 72 - 8] = 0; /* ends the JSON */
        char *buffers = strstr(text + 20, "\"buffers\":[{");
        TEST_ASSERT_NOT_NULL(buffers);
        snprintf(json, sizeof json, "%.*s\"buffers\":[{\"uri\":\"%s\",\"byteLength\":72}]}",
                 (int)(buffers - text - 20), text + 20, uris[i]);
        snprintf(path, sizeof path, "%s/a.gltf", folder);
        file = fopen(path, "w");
        TEST_ASSERT_NOT_NULL(file);
        fputs(json, file);
        fclose(file);
        const piola_io_status status = piola_io_mesh_read(path, NULL, &mesh, &error);
        TEST_ASSERT_EQUAL_MESSAGE(i == 0, status == PIOLA_IO_OK, error.text);
        piola_io_mesh_free(mesh);
        mesh = NULL;
    }
}

static void test_binary_files_are_read(void)
{
    static char text[2000];
    for (int kind = 0; kind < 4; ++kind) {
        const struct sample sample = {kind < 2    ? "a.ply"
                                      : kind == 2 ? "a.stl"
                                                  : "a.vtk",
                                      NULL, kind == 3};
        const size_t bytes = kind < 2    ? binary_ply(text, kind == 1)
                             : kind == 2 ? binary_stl(text)
                                         : binary_vtk(text);
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, parse(sample.name, text, bytes), error.text);
        is_the_tetrahedron(&sample);
        piola_io_mesh_free(mesh);
        mesh = NULL;
        /* Every shorter file is refused, and says so. */
        for (size_t less = 0; less < bytes; ++less)
            TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_ERROR_CONTENT, parse(sample.name, text, less),
                                      sample.name);
    }
}

/* ---- round trips ---- */

static void comes_back(const char *extension, double tolerance)
{
    char path[200];
    const piola_io_mesh_arrays a = piola_io_mesh_contents(mesh);
    piola_io_mesh *first = mesh;
    snprintf(path, sizeof path, "%s/m.%s", folder, extension);
    TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, piola_io_mesh_write(first, path, &error), error.text);
    TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_OK, piola_io_mesh_read(path, NULL, &mesh, &error),
                              error.text);
    piola_io_mesh_facts before, after;
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_mesh_inspect(first, &before, &error));
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_mesh_inspect(mesh, &after, &error));
    TEST_ASSERT_EQUAL_MESSAGE(before.surface_triangles, after.surface_triangles, extension);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, before.volume, after.volume, extension);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(tolerance, before.area, after.area, extension);
    const piola_io_mesh_arrays b = piola_io_mesh_contents(mesh);
    if (b.tetrahedron_count > 0) {
        TEST_ASSERT_EQUAL_MEMORY(a.vertices, b.vertices, 24 * (size_t)a.vertex_count);
        TEST_ASSERT_EQUAL_MEMORY(a.tetrahedra, b.tetrahedra, 16 * (size_t)a.tetrahedron_count);
    }
    piola_io_mesh_free(mesh);
    mesh = first;
}

static void test_what_is_written_comes_back(void)
{
    const piola_io_capsule_desc capsule = piola_io_capsule_desc_default();
    TEST_ASSERT_EQUAL(PIOLA_IO_OK, piola_io_make_capsule(&capsule, NULL, &mesh, &error));
    comes_back("stl", 1e-6);
    comes_back("ply", 1e-12);
    comes_back("off", 1e-12);
    comes_back("mesh", 1e-12);
    comes_back("msh", 1e-12);
    comes_back("vtu", 1e-12);
}

/* ---- refusals ---- */

static const struct {
    const char *name, *text, *expected;
    uint64_t line;
} wrong[] = {
    {"x.stl", "", "is no STL", 0},
    {"x.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex",
     "triangle 1: a number was expected", 5},
    {"x.stl", "solid\nendsolid\n", "has no vertices", 0},
    {"x.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e999\n", "not finite", 4},
    {"x.ply", "plx", "does not begin with ply", 1},
    {"x.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", "\"real\"", 4},
    {"x.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty int x\nend_header\n",
     "vertex 1: the file ends", 6},
    {"x.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "face 1: names a vertex", 6},
    {"x.off", "OFF\n18446744073709551615 1 0\n0 0 0\n", "vertex 2: the file ends", 4},
    {"x.off", "4OFF\n1 1 0\n", "three dimensions", 1},
    {"x.off", "OFF BINARY\n", "save it as text", 1},
    {"x.mesh", "MeshVersionFormatted 2\nDimension 2\n", "2 dimensions", 2},
    {"x.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 2e12 0\n", "1e12", 4},
    {"x.mesh", "MeshVersionFormatted 2\nHexahedra\n", "cut them into tetrahedra", 2},
    {"x.mesh", "MeshVersionFormatted 2\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 2 3 4 0\n",
     "tetrahedron 1 names a vertex", 0},
    {"x.mesh", "MeshVersionFormatted 2\nTetrahedra 1\n0 2 3 4 0\n", "count from 1", 3},
    {"x.msh", "$MeshFormat\n2.2 1 8\n", "-bin", 2},
    {"x.msh", "$MeshFormat\n4 0 8\n", "msh41", 2},
    {"x.msh", "$Nodes\n", "before $MeshFormat", 1},
    {"x.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 4 0 1 2 3 4\n",
     "element 1: names node 1", 6},
    {"x.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 5 0 1 2 3 4\n", "kind 5", 6},
    {"x.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n",
     "STRUCTURED_POINTS is not read", 4},
    {"x.vtk",
     "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\n"
     "POLYGONS 4000000000 9\n",
     "too short", 8},
    {"x.inp", "*NODE\n1,0,0,0\n*ELEMENT, TYPE=C3D8R\n", "\"C3D8R\"", 3},
    {"x.inp", "**\n*Include, input=a.inp\n", "*INCLUDE is not read", 2},
    {"x.inp", "*NODE\n1,0,0,0\n*ELEMENT, TYPE=S3\n1,1,1\n", "less than its 3 nodes", 4},
    {"x.inp", "*PART\n*END PART\n*INSTANCE, PART=a\n0,1,0\n", "moved or turned", 4},
    {"x.inp", "*NODE\n1,0,x,0\n", "node line 1: \"X\"", 2},
    {"x.vtu", "<?xml?>\n<VTKFile type=\"ImageData\">", "ImageData is not read", 2},
    {"x.vtu", "<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\">", "LZ4", 1},
    {"x.vtu", "<VTKFile type='PolyData><Points>", "in quotes", 1},
    {"x.vtp",
     "<VTKFile type=\"PolyData\"><Points><DataArray type=\"Int8\">0 0 0</DataArray></Points>\n"
     "<Polys><DataArray type=\"Int8\" Name=\"connectivity\">0 1 2</DataArray></Polys>",
     "connectivity 2 is 1", 2},
    {"x.gltf", "{\"asset\": {\"version\": \"1.0\"}}", "version 2", 0},
    {"x.gltf", "{\"asset\": 1", "line 1 of the JSON", 0},
    {"x.gltf",
     "{\"asset\": {\"version\": \"2.0\"}, \"buffers\": [{\"uri\": \"/etc/passwd\", "
     "\"byteLength\": 1}]}",
     "in another file", 0},
    {"x.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"extensionsRequired\": [\"KHR_draco\"]}",
     "KHR_draco is not read", 0},
    {"x.gltf",
     "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": [{\"nodes\": [0]}], "
     "\"nodes\": [{\"children\": [0]}]}",
     "must be a tree", 0},
    {"x.xml", "<mujoco>\n<flexcomp type=\"grid\"/>", "made by MuJoCo", 2},
    {"x.xml", "<a/>", "<mujoco>", 1},
};

static void test_what_is_wrong_is_said_with_its_place(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_IO_ERROR_CONTENT,
                                  parse(wrong[i].name, wrong[i].text, strlen(wrong[i].text)),
                                  wrong[i].text);
        if (!strstr(error.text, wrong[i].expected))
            TEST_FAIL_MESSAGE(error.text);
        TEST_ASSERT_EQUAL_MESSAGE(wrong[i].line, error.line, error.text);
        TEST_ASSERT_EQUAL_STRING(wrong[i].name, error.file);
        TEST_ASSERT_NULL(mesh);
    }
}

/* ---- damage ---- */

static void is_sound(void)
{
    const piola_io_mesh_arrays a = piola_io_mesh_contents(mesh);
    TEST_ASSERT_TRUE(a.triangle_count > 0 || a.tetrahedron_count > 0);
    for (size_t i = 0; i < 3 * (size_t)a.triangle_count; ++i)
        TEST_ASSERT_LESS_THAN(a.vertex_count, a.triangles[i]);
    for (size_t i = 0; i < 4 * (size_t)a.tetrahedron_count; ++i)
        TEST_ASSERT_LESS_THAN(a.vertex_count, a.tetrahedra[i]);
    for (size_t i = 0; i < 3 * (size_t)a.vertex_count; ++i)
        TEST_ASSERT_TRUE(fabs(a.vertices[i]) <= 1e12);
}

static void test_damaged_files_do_no_harm(void)
{
    static char text[2000];
    uint64_t seed = fixture_seed();
    struct failing failing = {0};
    piola_io_mesh_options options = piola_io_mesh_options_default();
    options.allocator = failing_allocator(&failing);
    for (int n = fixture_count(20000, 1000); n > 0; --n) {
        const uint64_t which = fixture_random(&seed) % (SAMPLES + 4);
        const char *name = which < SAMPLES        ? samples[which].name
                           : which < SAMPLES + 2  ? "a.ply"
                           : which == SAMPLES + 2 ? "a.stl"
                                                  : "a.vtk";
        size_t bytes = which < SAMPLES        ? strlen(strcpy(text, samples[which].text))
                       : which < SAMPLES + 2  ? binary_ply(text, which == SAMPLES)
                       : which == SAMPLES + 2 ? binary_stl(text)
                                              : binary_vtk(text);
        for (uint64_t k = fixture_random(&seed) % 6; k > 0; --k) {
            static const char some[] = "0123456789 .-e\n#x\0\xff$";
            text[fixture_random(&seed) % bytes] = some[fixture_random(&seed) % (sizeof some - 1)];
        }
        bytes -= fixture_random(&seed) % 4 == 0 ? fixture_random(&seed) % bytes : 0;
        failing.asked = 0;
        failing.fails = fixture_random(&seed) % 40;
        if (piola_io_mesh_parse(text, bytes, name, &options, &mesh, &error) == PIOLA_IO_OK)
            is_sound();
        else
            TEST_ASSERT_GREATER_THAN(10, strlen(error.text));
        piola_io_mesh_free(mesh);
        mesh = NULL;
        TEST_ASSERT_EQUAL(0, failing.live);
    }
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/piola-io-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_what_other_programs_write_is_read);
    RUN_TEST(test_binary_files_are_read);
    RUN_TEST(test_binary_samples_are_read);
    RUN_TEST(test_buffers_are_files_beside_their_mesh);
    RUN_TEST(test_what_is_written_comes_back);
    RUN_TEST(test_what_is_wrong_is_said_with_its_place);
    RUN_TEST(test_damaged_files_do_no_harm);
    const int failed = UNITY_END();
    char line[100];
    snprintf(line, sizeof line, "rm -rf '%s'", folder);
    return system(line) != 0 || failed;
}
