/* families.h - all families: for tables.c, and for those who ask about any of them between steps.
 */
#ifndef PIOLA_FAMILIES_H
#define PIOLA_FAMILIES_H

#include "families/air/wind.h"
#include "families/attachments/attachments.h"
#include "families/collide/collide.h"
#include "families/pressure/pressure.h"
#include "families/rigid/rigid.h"
#include "families/solids/untangle.h"
#include "families/surface/box_tree.h"
#include "families/surface/surface.h"
#include "families/surface/surface_settings.h"
#include "families/tractions/tractions.h"
#include "world/family.h"
#include "world/guides.h"

#endif
