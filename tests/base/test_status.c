/* Statuses have words, errors name the place.
 *
 * covers: src/base/status.c
 */
#include "piola/piola.h"
#include "unity.h"

#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_every_status_has_its_own_text(void)
{
    for (int i = 0; i < PIOLA_STATUS_COUNT; ++i) {
        const char *text = piola_status_text((piola_status)i);
        TEST_ASSERT_NOT_NULL(text);
        TEST_ASSERT_TRUE_MESSAGE(strcmp(text, "unknown status") != 0, "a status without words");
        for (int k = 0; k < i; ++k)
            TEST_ASSERT_TRUE_MESSAGE(strcmp(text, piola_status_text((piola_status)k)) != 0, text);
    }
}

static void test_unknown_status_is_said_to_be_unknown(void)
{
    TEST_ASSERT_EQUAL_STRING("unknown status", piola_status_text(PIOLA_STATUS_COUNT));
    TEST_ASSERT_EQUAL_STRING("unknown status", piola_status_text((piola_status)-1));
}

static void test_limits_name_the_setting_to_raise(void)
{
    TEST_ASSERT_NOT_NULL(strstr(piola_status_text(PIOLA_ERROR_BODIES_FULL), "max_bodies"));
    TEST_ASSERT_NOT_NULL(strstr(piola_status_text(PIOLA_ERROR_PARTICLES_FULL), "max_particles"));
    TEST_ASSERT_NOT_NULL(strstr(piola_status_text(PIOLA_ERROR_ASSETS_FULL), "max_assets"));
    TEST_ASSERT_NOT_NULL(strstr(piola_status_text(PIOLA_ERROR_COMMANDS_FULL), "max_commands"));
    TEST_ASSERT_NOT_NULL(strstr(piola_status_text(PIOLA_ERROR_PACKS_FULL), "max_plastic_packs"));
}

static void test_error_names_field_and_item(void)
{
    const piola_error error = {PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.vertices", 1234567890123u,
                               true};
    char text[128];
    const size_t length = piola_error_format(&error, text, sizeof text);
    TEST_ASSERT_EQUAL_STRING("piola_mesh_desc.vertices[1234567890123]: a value is NaN or infinite",
                             text);
    TEST_ASSERT_EQUAL_size_t(strlen(text), length);
}

static void test_error_text_is_cut_but_its_length_is_told(void)
{
    const piola_error error = {PIOLA_ERROR_NULL, "asset", 0, false};
    char whole[64], cut[8] = "xxxxxxx";
    const size_t length = piola_error_format(&error, whole, sizeof whole);
    TEST_ASSERT_EQUAL_size_t(length, piola_error_format(&error, cut, sizeof cut));
    TEST_ASSERT_EQUAL_STRING("asset: ", cut);
    TEST_ASSERT_EQUAL_size_t(length, piola_error_format(&error, NULL, 0));
    TEST_ASSERT_EQUAL_size_t(0, piola_error_format(NULL, cut, sizeof cut));
    TEST_ASSERT_EQUAL_STRING("", cut);
}

static void test_version_agrees_with_the_header(void)
{
    char text[32];
    text[0] = (char)('0' + PIOLA_VERSION_MAJOR);
    text[1] = '.';
    text[2] = (char)('0' + PIOLA_VERSION_MINOR);
    text[3] = '.';
    text[4] = (char)('0' + PIOLA_VERSION_PATCH);
    text[5] = 0;
    TEST_ASSERT_EQUAL_STRING(text, piola_version());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_every_status_has_its_own_text);
    RUN_TEST(test_unknown_status_is_said_to_be_unknown);
    RUN_TEST(test_limits_name_the_setting_to_raise);
    RUN_TEST(test_error_names_field_and_item);
    RUN_TEST(test_error_text_is_cut_but_its_length_is_told);
    RUN_TEST(test_version_agrees_with_the_header);
    return UNITY_END();
}
