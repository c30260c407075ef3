/* Counts the places where a material model is named: its own file and the list, and nowhere else in
 * src/, ispc/ and app/. So a model is added by one file and one line. Covers:
 * src/kernels/models.h.
 *
 * covers: src/kernels/models.h
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/models.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Names of the files, one a line, that hold the extended regular expression as whole words. */
static void files_with(const char *expression, const char *folders, char *text, size_t size)
{
    char line[512];
    snprintf(line, sizeof line,
             "cd \"$PIOLA_SOURCE_DIR\" && grep -rlwE --include='*.[ch]' --include='*.isp[ch]' "
             "--include='*.isph' '%s' %s | LC_ALL=C sort",
             expression, folders);
    FILE *pipe = popen(line, "r");
    TEST_ASSERT_NOT_NULL(pipe);
    text[fread(text, 1, size - 1, pipe)] = '\0';
    TEST_ASSERT_EQUAL_INT(0, pclose(pipe));
}

/* Takes a line with this file's name out of the text. */
static void leave_out(char *text, const char *file)
{
    char *at = strstr(text, file);
    if (at == NULL)
        return;
    const size_t length = strlen(file) + 1;
    memmove(at, at + length, strlen(at + length) + 1);
}

static void named_once(const char *NAME, const char *name)
{
    char text[4096], expression[256], own[128];
    snprintf(own, sizeof own, "ispc/solids/model_%s.isph", name);
    /* Its number, under every prefix. */
    snprintf(expression, sizeof expression, "(PIOLA_|PK_)?(MODEL_)?%s", NAME);
    files_with(expression, "src ispc app", text, sizeof text);
    leave_out(text, own);
    leave_out(text, "src/kernels/models.h");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", text, NAME);
    /* Its functions, named name_..., of which each has some. */
    snprintf(expression, sizeof expression,
             "%s_(least2|swells|law|block|profile|sheet_law|sheet_block)", name);
    files_with(expression, "src ispc app", text, sizeof text);
    strcat(own, "\n");
    TEST_ASSERT_EQUAL_STRING(own, text);
}

static void test_a_model_is_named_in_its_file_and_in_the_list(void)
{
#define X(NAME, name, ...) named_once(#NAME, #name);
    MODELS(X)
#undef X
}

static void test_every_model_has_a_file_that_is_included(void)
{
    char text[4096];
#define X(NAME, name, ...)                                                                         \
    files_with("include \"solids/model_" #name ".isph\"", "ispc", text, sizeof text);              \
    TEST_ASSERT_EQUAL_STRING("ispc/solids/models.isph\n", text);
    MODELS(X)
#undef X
}

/* What the list says of a number that is no model's. */
static void test_no_model_has_no_traits(void)
{
    TEST_ASSERT_FALSE(model_strain(-1) || model_strain(PK_MODELS));
    TEST_ASSERT_FALSE(model_quadratic(-1) || model_quadratic(PK_MODELS));
    TEST_ASSERT_FALSE(model_anisotropic(-1) || model_anisotropic(PK_MODELS));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_model_is_named_in_its_file_and_in_the_list);
    RUN_TEST(test_every_model_has_a_file_that_is_included);
    RUN_TEST(test_no_model_has_no_traits);
    return UNITY_END();
}
