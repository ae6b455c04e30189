/* Whether this build is a slow one. Then tests that compute much compute less. */
#ifndef TAUT_TESTS_SLOW_BUILD_H
#define TAUT_TESTS_SLOW_BUILD_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif
#ifndef UNDER_SANITIZER
#define UNDER_SANITIZER 0
#endif

/* Such builds are at least ten times slower than the shipped one. */
#if UNDER_SANITIZER || defined(UNDER_COVERAGE) || !defined(__OPTIMIZE__)
#define SLOW_BUILD 1
#else
#define SLOW_BUILD 0
#endif

/* For tests of thousands of steps, which run in fast builds only. */
#define SKIP_IF_SLOW() \
    do { \
        if (SLOW_BUILD) skip(); \
    } while (0)

/* Whether slow builds also compute less of what takes seconds there: they do, but not in `make test-all`. A sanitizer
 * finds most mistakes in the first frames. */
static inline bool is_brief(void) { return SLOW_BUILD && !getenv("TEST_ALL"); }

#define SKIP_IF_BRIEF() \
    do { \
        if (is_brief()) skip(); \
    } while (0)

#endif
