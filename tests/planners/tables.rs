//! Tables in minimalloc's columns.

use arenascope::plan::csv::Table;
use arenascope::plan::{Strategy, plan};
use arenascope::units::Step;

use super::{check, span};

#[test]
fn reads_and_writes_minimalloc_columns() {
    let text = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\n\"odd, name\",0,9,8\n";
    let table = Table::read(text.as_bytes()).unwrap();
    assert_eq!(table.rows[1].live, span(3, 9));
    assert_eq!(table.write(), text);
    let problem = table.problem().unwrap();
    let made = plan(&problem, Strategy::Tflm);
    let solved = table.with_plan(&made);
    assert_eq!(solved.write(), "id,lower,upper,size,offset\nb1,0,3,4,8\nb2,3,9,4,8\n\"odd, name\",0,9,8,0\n");
    let again = Table::read(solved.write().as_bytes()).unwrap();
    assert_eq!(again.plan(&problem), Some(made.clone()));
    check(&problem, &made);
    assert_eq!(again.problem_with_fixed().unwrap().requests()[2].fixed_offset, Some(0));
    assert_eq!(table.plan(&problem), None);
}

#[test]
fn ids_that_a_spreadsheet_would_run_are_guarded_and_come_back() {
    let ids = ["=cmd|'/C calc'!A0", "+1", "-2", "@x", "'=y", "''+z", "\u{9}=tab", "'plain", "'", "a=b", ""];
    for id in ids {
        let read = |text: &str| Table::read(text.as_bytes()).unwrap();
        let mut table = read("id,lower,upper,size,offset\nx,0,2,10,0\n");
        table.rows[0].id = id.to_owned();
        let text = table.write();
        assert_eq!(read(&text).rows[0].id, id, "{text}");
        let cell = text.lines().nth(1).unwrap().trim_start_matches('"');
        assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{text}");
        assert_eq!(read(&text).write(), text);
    }
    // What others wrote without a guard is read as it is.
    assert_eq!(Table::read(b"id,lower,upper,size\n=1+1,0,1,4\n").unwrap().rows[0].id, "=1+1");
}

#[test]
fn knows_the_other_names_of_columns() {
    let table = Table::read(b"Size , END, start, Buffer,ignored\r\n\r\n 7, 4, 2, x, ?\r\n").unwrap();
    assert_eq!(table.rows[0].id, "x");
    assert_eq!(table.rows[0].live.first(), Step(2));
    assert_eq!(table.rows[0].live.end(), Step(5), "a column called end names the last step");
    assert_eq!(table.rows[0].size_bytes, 7);
}

#[test]
fn keeps_rows_without_bytes_out_of_the_problem() {
    let table = Table::read(b"id,lower,upper,size\na,0,1,0\nb,0,1,5\n").unwrap();
    let problem = table.problem().unwrap();
    assert_eq!(problem.requests().len(), 1);
    let solved = table.with_plan(&plan(&problem, Strategy::NoReuse));
    assert_eq!(solved.rows[0].offset, Some(0));
    assert_eq!(solved.rows[1].offset, Some(0));
}

#[test]
fn takes_the_common_alignment() {
    let table = Table::read(b"id,lower,upper,size,alignment\na,0,1,1,4\nb,0,1,5,6\n").unwrap();
    assert_eq!(table.problem().unwrap().alignment(), 12);
}

#[test]
fn says_what_is_wrong_and_where() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "the table is empty"),
        (b"\n\n , \n", "the table is empty"),
        (b"id,lower,size\n", "line 1: no column \"upper\""),
        (b"id,lower,upper,size,start\n", "line 1: two columns stand for \"lower\""),
        (b"id,lower,upper,size\na,0,1\n", "line 2: 3 fields, but the header has 4"),
        (b"id,lower,upper,size\n\na,0,1,5\nb,-1,1,5\n", "line 4: lower is \"-1\""),
        (b"id,lower,upper,size\na,0,1,5.5\n", "line 2: size is \"5.5\""),
        (b"id,lower,upper,size\na,0,1,99999999999999999999\n", "line 2: size is"),
        (b"id,lower,upper,size\na,0,1,281474976710657\n", "line 2: size is"),
        (b"id,lower,upper,size\na,3,3,5\n", "line 2: the span from 3 to 3 is empty"),
        (b"id,lower,upper,size\na,3,4294967295,5\n", "line 2: upper is \"4294967295\""),
        (b"id,lower,upper,size,offset\na,0,1,5,x\n", "line 2: offset is \"x\""),
        (b"id,lower,upper,size\na,0,1,5\na,0,1,5\n", "id \"a\" stands twice, for buffers 0 and 1"),
        (b"id,lower,upper,size\n\xff,0,1,5\n", "line 2: the line is not UTF-8 text"),
        (b"id,lower,upper,size,alignment\na,0,1,5,1048576\nb,0,1,5,3\n", "line 3: alignments up to here"),
    ];
    for (text, expected) in cases {
        let error = Table::read(text).expect_err("a table that does not fit").to_string();
        assert!(error.starts_with(expected), "{error:?} should begin with {expected:?}");
    }
}

#[test]
fn a_column_called_end_reaches_the_last_step() {
    let table = Table::read(b"id,lower,end,size\na,0,4294967294,5\n").unwrap();
    assert_eq!(table.rows[0].live.end(), Step(u32::MAX));
}
