//! Names that are bound twice because a package may be missing.

use super::check;
use expect_test::expect;

#[test]
fn what_stands_in_for_a_missing_package_gives_way_to_the_import() {
    check(
        r#"
==> pkg/fast.py
class Reload:
    def run(self): ...
==> pkg/choice.py
try:
    from pkg.fast import Reload
except ImportError:
    Reload = None
==> pkg/use.py
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from pkg.fast import Reload as Own
else:
    Other = Own = object
from pkg.choice import Reload
Own().run() #?
Reload().run() #?
"#,
        &expect![[r#"
            pkg/use.py:7 Own -> pkg/fast.py:1 import_resolved
            pkg/use.py:7 run -> pkg/fast.py:2 import_resolved
            pkg/use.py:8 Reload -> pkg/fast.py:1 import_resolved
            pkg/use.py:8 run -> pkg/fast.py:2 import_resolved
        "#]],
    );
}
