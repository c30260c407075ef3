/* vtu.c - see vtu.h. */
#include "io/mesh/vtu.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_three(const unsigned char *in, char *out)
{
    const unsigned n = (unsigned)in[0] << 16 | (unsigned)in[1] << 8 | in[2];
    out[0] = letters[n >> 18];
    out[1] = letters[n >> 12 & 63];
    out[2] = letters[n >> 6 & 63];
    out[3] = letters[n & 63];
}

void vtu_array_put(struct vtu_array *array, const void *data, size_t bytes)
{
    const unsigned char *in = data;
    char out[4096] = {0};
    size_t used = 0;
    while (bytes > 0) {
        if (array->held == 0 && bytes >= 3) {
            put_three(in, out + used);
            in += 3;
            bytes -= 3;
            used += 4;
        } else {
            array->left[array->held++] = *in++;
            --bytes;
            if (array->held == 3) {
                put_three(array->left, out + used);
                array->held = 0;
                used += 4;
            }
        }
        if (used == sizeof out) {
            fwrite(out, 1, used, array->file);
            used = 0;
        }
    }
    if (used > 0)
        fwrite(out, 1, used, array->file);
}

void vtu_array_begin(struct vtu_array *array, FILE *file, const char *type, const char *name,
                     unsigned components, uint64_t bytes)
{
    *array = (struct vtu_array){.file = file};
    fprintf(file,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" format=\"binary\">\n",
            type, name, components);
    vtu_array_put(array, &bytes, sizeof bytes);
}

void vtu_array_end(struct vtu_array *array)
{
    char out[4];
    if (array->held > 0) {
        const unsigned held = array->held;
        for (unsigned i = held; i < 3; ++i)
            array->left[i] = 0;
        put_three(array->left, out);
        for (unsigned i = held + 1; i < 4; ++i)
            out[i] = '=';
        fwrite(out, 1, sizeof out, array->file);
    }
    fputs("\n</DataArray>\n", array->file);
}

void vtu_begin(FILE *file, uint64_t points, uint64_t cells)
{
    const uint16_t one = 1;
    const char *order = *(const unsigned char *)&one ? "LittleEndian" : "BigEndian";
    fprintf(file,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n<UnstructuredGrid>\n"
            "<Piece NumberOfPoints=\"%llu\" NumberOfCells=\"%llu\">\n",
            order, (unsigned long long)points, (unsigned long long)cells);
}

void vtu_end(FILE *file)
{
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", file);
}
