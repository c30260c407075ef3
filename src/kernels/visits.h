/* visits.h - the kinds of elements that a vertex's descent visits, each named once, for C and ISPC.
 *
 * X(NAME, name, section, width)
 * - name: ispc/motion/descend_sheets.isph has gather_name() and energy_name(), what its visits add
 * to a vertex's objective and to that after a step, and src/verify/verify_visits.c has
 *   check_name_visit().
 * - section: the asset's array of visits of this kind.
 * - width: particles that a lane's visit looks at besides its vertex. They come first in it.
 *
 * The order is that of the sums. Tetrahedra come first: their loop is made for each model by
 * itself.
 */
#ifndef PIOLA_VISITS_H
#define PIOLA_VISITS_H

#define VISITS_BESIDE_TETS(X)                                                                      \
    X(TRIANGLE, triangle, triangle_visits, 2)                                                      \
    X(BEND, bend, bend_rows, 1)                                                                    \
    X(FOLD, fold, fold_visits, 3)

/* Where all materials fold, a tetrahedron's visits are in visits_snh. */
#define VISITS(X)                                                                                  \
    X(TET, tet, visits, 3)                                                                         \
    VISITS_BESIDE_TETS(X)

enum pk_visit_kind {
#define X(NAME, ...) PK_VISIT_##NAME,
    VISITS(X)
#undef X
        PK_VISIT_KINDS
};

#endif
