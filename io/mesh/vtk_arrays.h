/* vtk_arrays.h - arrays of numbers in VTK's XML files: as text, as base64, or appended behind the
 * file's tags, each also compressed by zlib.
 *
 * Lives here: from a DataArray to its numbers. What must not live here: what they mean.
 */
#ifndef PIOLA_IO_VTK_ARRAYS_H
#define PIOLA_IO_VTK_ARRAYS_H

#include "io/mesh/xml.h"

/* What the head of a file says of its arrays. */
struct vtk_coding {
    enum scan_order order;
    bool wide;           /* heads of arrays have 64 bits a number */
    bool compressed;     /* by zlib */
    const char *data;    /* appended, behind its '_'; null: none */
    bool data_is_base64; /* else as it is */
};

/* Grows with what was read. */
struct vtk_values {
    double *values;
    size_t count, room;
};

/* The tag VTKFile. False with a problem. */
bool vtk_coding_read(struct scan *scan, const struct xml_tag *file, struct vtk_coding *coding);
/* The numbers of a DataArray whose tag was read, in place of what `values` held. Leaves the scan
 * before the closing tag. */
bool vtk_array_read(struct scan *scan, const struct xml_tag *array, const struct vtk_coding *coding,
                    struct vtk_values *values);
void vtk_values_free(struct vtk_values *values);

#endif
