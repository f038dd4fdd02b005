//! C and C++.

use super::check;
use expect_test::expect;

#[test]
fn of_conditional_definitions_the_one_of_a_usual_build_is_taken() {
    check(
        r"
==> lib.h
#ifndef LIB_H
#define LIB_H
#ifdef _WIN32
#define CALL(x) windows(x)
#else
#if defined(__GNUC__) && defined(LIB_VISIBLE)
#define CALL(x) visible(x)
#else
#define CALL(x) plain(x)
#endif
#endif
#define WIDTH (64)
#if WIDTH == 32
int narrow(void);
#elif WIDTH == 64
int wide(void);
#endif
#endif
==> user.c
#include <lib.h>
#ifdef NEVER_DEFINED
void CALL(int x);
#endif
void run(void) {
  CALL(1); //?
  narrow(); //?
  wide(); //?
}
",
        &expect![[r#"
            user.c:6 CALL -> lib.h:9 same_module
            user.c:7 narrow -> lib.h:14 same_module
            user.c:8 wide -> lib.h:16 same_module
        "#]],
    );
}
