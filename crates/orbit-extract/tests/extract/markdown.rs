use crate::render::check;
use expect_test::expect;

#[test]
fn headings_nest_by_level() {
    check(
        "README.md",
        "intro\n\n# Guide\ntext\n\n## Set up\n### On *Linux* with `apt`\nmore\n## Use [it](x.md) now\n# Other\nend\n\n",
        &expect![[r#"
            symbol heading Guide 3-9 pub
            symbol heading Guide/Set up 6-8 pub
            symbol heading Guide/Set up/On Linux with apt 7-8 pub
            symbol heading Guide/Use it now 9-9 pub
            symbol heading Other 10-11 pub
        "#]],
    );
}

#[test]
fn setext_closing_marks_anchors_and_breaks() {
    check(
        "a.markdown",
        "Top\nline\n===\n\nSub\n---\n\n### Closed ###\n\n#### With id {#the-id}\n\n#### GET /users/{id}\n\n#no heading\n\n#\n",
        &expect![[r#"
            symbol heading Top line 1-16 pub
            symbol heading Top line/Sub 5-16 pub
            symbol heading Top line/Sub/Closed 8-16 pub
            symbol heading Top line/Sub/Closed/With id 10-11 pub
            symbol heading Top line/Sub/Closed/GET /users/{id} 12-16 pub
        "#]],
    );
}

#[test]
fn skipped_levels_and_repeated_titles() {
    check(
        "CHANGELOG.md",
        "### Deep first\n# 2.0\n### Fixed\n## 1.9\n### Fixed\n### Fixed\n",
        &expect![[r#"
            symbol heading Deep first 1-1 pub
            symbol heading 2.0 2-6 pub
            symbol heading 2.0/Fixed 3-3 pub
            symbol heading 2.0/1.9 4-6 pub
            symbol heading 2.0/1.9/Fixed 5-5 pub
            symbol heading 2.0/1.9/Fixed#2 6-6 pub
        "#]],
    );
}

#[test]
fn code_html_and_front_matter_hold_none() {
    check(
        "a.md",
        "---\ntitle: x\n---\n\n```sh\n# no\n```\n\n    # no\n\n<div>\n# no\n</div>\n\n<!--\n# no\n-->\n\n- # In a list\n\n> ## In a quote\n\n# Yes &amp; <b>bold</b>\n",
        &expect![[r#"
            symbol heading In a list 19-22 pub
            symbol heading In a list/In a quote 21-22 pub
            symbol heading Yes & bold 23-23 pub
        "#]],
    );
}

#[test]
fn line_ends_of_windows() {
    check(
        "a.md",
        "# A\r\n\r\ntext\r\n## B\r\ntext",
        &expect![[r#"
        symbol heading A 1-5 pub
        symbol heading A/B 4-5 pub
    "#]],
    );
}

#[test]
fn empty_file() {
    check("a.md", "", &expect![[""]]);
}
