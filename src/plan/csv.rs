//! Problems and plans as CSV with minimalloc's columns: `id,lower,upper,size[,offset]`. Knows nothing of planners.

use ::csv::{ByteRecord, ReaderBuilder, StringRecord, Trim, WriterBuilder};

use super::{Plan, Problem, Request};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::units::{Span, Step};

/// One line: a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name; unique in the table.
    pub id: String,
    /// When it is alive.
    pub live: Span,
    /// Its bytes; a buffer without bytes needs no place.
    pub size_bytes: u64,
    /// Its offset in bytes, if the table gives one.
    pub offset: Option<u64>,
}

/// A table of buffers, as read or as it will be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The buffers in the order of the file.
    pub rows: Vec<Row>,
    /// What every offset must be a multiple of, in bytes: the least common multiple of the column `alignment`, or 1.
    pub alignment: u64,
}

impl Table {
    /// Reads a table. The header names the columns, in any order: `id` (or `buffer`, `buffer_id`), `lower` (`start`,
    /// `begin`), `upper` (or `end`, which names the last step instead of the one after it), `size`, and perhaps
    /// `offset` and `alignment`; others are ignored. A row may leave its offset empty.
    ///
    /// # Errors
    /// Names the line and the column that do not fit.
    pub fn read(text: &[u8]) -> Result<Table> {
        let mut reader = ReaderBuilder::new().flexible(true).has_headers(false).trim(Trim::All).from_reader(text);
        let mut record = ByteRecord::new();
        if !next(&mut reader, &mut record)? {
            return Err(Error::new(ErrorKind::BadOption, "the table is empty").with_hint(EXPECTED));
        }
        let columns = Columns::find(&strings(&record)?)?;
        let mut table = Table { rows: Vec::new(), alignment: 1 };
        while next(&mut reader, &mut record)? {
            if table.rows.len() >= limits::MAX_REQUESTS {
                let message = format!("more than {} buffers", limits::MAX_REQUESTS);
                return Err(Error::new(ErrorKind::TooLarge, message));
            }
            let fields = strings(&record)?;
            table.rows.push(columns.row(&fields, line(&record))?);
            table.alignment = columns.alignment(&fields, line(&record), table.alignment)?;
        }
        table.check_ids()?;
        Ok(table)
    }

    /// Whether each id stands once.
    fn check_ids(&self) -> Result<()> {
        let rows = &self.rows;
        let mut by_id: Vec<usize> = (0..rows.len()).collect();
        by_id.sort_by(|&a, &b| rows[a].id.cmp(&rows[b].id).then(a.cmp(&b)));
        match by_id.windows(2).find(|pair| rows[pair[0]].id == rows[pair[1]].id) {
            None => Ok(()),
            Some(pair) => {
                let id: String = rows[pair[0]].id.chars().take(40).collect();
                let message = format!("id {id:?} stands twice, for buffers {} and {}", pair[0], pair[1]);
                Err(Error::new(ErrorKind::BadOption, message))
            }
        }
    }

    /// The problem of placing the rows that have bytes, with every offset free, at the table's alignment.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn problem(&self) -> Result<Problem> {
        let sized = self.rows.iter().filter(|row| row.size_bytes > 0);
        Problem::new(sized.map(|row| Request::new(row.size_bytes, row.live)).collect(), self.alignment)
    }

    /// The same problem, with the offsets that the table gives as fixed ones.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn problem_with_fixed(&self) -> Result<Problem> {
        let sized = self.rows.iter().filter(|row| row.size_bytes > 0);
        let request = |row: &Row| Request { fixed_offset: row.offset, ..Request::new(row.size_bytes, row.live) };
        Problem::new(sized.map(request).collect(), self.alignment)
    }

    /// The plan that the table itself gives for `problem` (made from it), or `None` when a row with bytes has no offset.
    pub fn plan(&self, problem: &Problem) -> Option<Plan> {
        let sized = self.rows.iter().filter(|row| row.size_bytes > 0);
        let offsets: Vec<u64> = sized.map(|row| row.offset).collect::<Option<_>>()?;
        let ends = offsets
            .iter()
            .zip(problem.requests())
            .all(|(offset, request)| offset.checked_add(request.size_bytes).is_some());
        (ends && offsets.len() == problem.requests().len()).then(|| Plan::from_offsets(problem, offsets))
    }

    /// The same table with the offsets of `plan`, made for its problem; rows without bytes get offset 0.
    ///
    /// # Panics
    /// When the plan has fewer offsets than the table has rows with bytes: a bug of ours.
    #[must_use]
    pub fn with_plan(&self, plan: &Plan) -> Table {
        let mut offsets = plan.offsets.iter();
        let row = |row: &Row| {
            let offset = if row.size_bytes == 0 { Some(0) } else { offsets.next().copied() };
            assert!(offset.is_some(), "one offset per row with bytes");
            Row { offset, ..row.clone() }
        };
        Table { rows: self.rows.iter().map(row).collect(), alignment: self.alignment }
    }

    /// The table as text: `id,lower,upper,size`, and `offset` when any row has one; `\n` ends each line. An id that a
    /// spreadsheet would run as a formula gets an apostrophe in front, which reading takes off again.
    pub fn write(&self) -> String {
        let has_offsets = self.rows.iter().any(|row| row.offset.is_some());
        let mut writer = WriterBuilder::new().from_writer(Vec::new());
        let mut write = |fields: &[String]| {
            let fields = if has_offsets { fields } else { &fields[..4] };
            // Writing to memory cannot fail.
            let _ = writer.write_record(fields);
        };
        write(&["id", "lower", "upper", "size", "offset"].map(String::from));
        for row in &self.rows {
            let offset = row.offset.map(|offset| offset.to_string()).unwrap_or_default();
            let (lower, upper) = (row.live.first().to_string(), row.live.end().to_string());
            write(&[guarded(&row.id), lower, upper, row.size_bytes.to_string(), offset]);
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// What a table must look like, as a hint.
const EXPECTED: &str = "expected a header line id,lower,upper,size[,offset] and a line for each buffer";

/// Where each field stands in a line.
struct Columns {
    id: usize,
    lower: usize,
    upper: usize,
    /// Whether `upper` is a column called `end`, which includes the last step.
    upper_is_last: bool,
    size: usize,
    offset: Option<usize>,
    alignment: Option<usize>,
    count: usize,
}

impl Columns {
    fn find(header: &StringRecord) -> Result<Columns> {
        let find = |names: &[&str]| -> Result<Option<usize>> {
            let mut found = (0..header.len()).filter(|&index| {
                header.get(index).is_some_and(|name| names.iter().any(|other| name.eq_ignore_ascii_case(other)))
            });
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(bad(1, format!("two columns stand for {:?}", names[0]))),
                (first, None) => Ok(first),
            }
        };
        let need = |names: &[&str]| {
            let missing = || bad(1, format!("no column {:?}", names[0])).with_hint(EXPECTED);
            find(names)?.ok_or_else(missing)
        };
        let upper = need(&["upper", "end"])?;
        Ok(Columns {
            id: need(&["id", "buffer", "buffer_id"])?,
            lower: need(&["lower", "start", "begin"])?,
            upper,
            upper_is_last: header.get(upper).is_some_and(|name| name.eq_ignore_ascii_case("end")),
            size: need(&["size"])?,
            offset: find(&["offset"])?,
            alignment: find(&["alignment"])?,
            count: header.len(),
        })
    }

    /// The least multiple of `alignment` and the line's own alignment.
    fn alignment(&self, fields: &StringRecord, line: u64, alignment: u64) -> Result<u64> {
        let Some(text) = self.alignment.and_then(|index| fields.get(index)) else { return Ok(alignment) };
        let own = number(text, line, "alignment", limits::MAX_ALIGNMENT)?.max(1);
        let common = alignment / gcd(alignment, own) * own;
        if common > limits::MAX_ALIGNMENT {
            let message = format!("alignments up to here need multiples of {common}, above {}", limits::MAX_ALIGNMENT);
            return Err(bad(line, message));
        }
        Ok(common)
    }

    fn row(&self, fields: &StringRecord, line: u64) -> Result<Row> {
        if fields.len() != self.count {
            return Err(bad(line, format!("{} fields, but the header has {}", fields.len(), self.count)));
        }
        let field = |index: usize| fields.get(index).unwrap_or("");
        let lower = number(field(self.lower), line, "lower", u64::from(u32::MAX) - 1)?;
        let upper = number(field(self.upper), line, "upper", u64::from(u32::MAX) - 1)?;
        let upper = upper + u64::from(self.upper_is_last);
        let span =
            |lower: u64, upper: u64| Span::new(Step(u32::try_from(lower).ok()?), Step(u32::try_from(upper).ok()?));
        let empty = || bad(line, format!("the span from {lower} to {upper} is empty"));
        let offset = self.offset.map(field).filter(|text| !text.is_empty());
        Ok(Row {
            id: unguarded(field(self.id)).to_owned(),
            live: span(lower, upper).ok_or_else(empty)?,
            size_bytes: number(field(self.size), line, "size", limits::MAX_BYTES)?,
            offset: offset.map(|text| number(text, line, "offset", limits::MAX_BYTES)).transpose()?,
        })
    }
}

/// Whether a spreadsheet would run a cell that is `text` behind its apostrophes.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// An id as a cell that nothing runs: spreadsheets do not show the apostrophe. One that has apostrophes before a formula gets
/// another, so that reading gives each back as it was.
fn guarded(id: &str) -> String {
    if is_formula(id) { format!("'{id}") } else { id.to_owned() }
}

/// What [`guarded`] was made of.
fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(cell)
}

/// A whole number from 0 to `most`.
fn number(text: &str, line: u64, column: &str, most: u64) -> Result<u64> {
    match text.parse::<u64>() {
        Ok(number) if number <= most => Ok(number),
        _ => {
            let text: String = text.chars().take(40).collect();
            Err(bad(line, format!("{column} is {text:?}, but it must be a whole number from 0 to {most}")))
        }
    }
}

/// The greatest common divisor of two numbers above 0.
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Reads the next line that is not empty; `false` at the end.
fn next(reader: &mut ::csv::Reader<&[u8]>, record: &mut ByteRecord) -> Result<bool> {
    loop {
        let more = reader.read_byte_record(record);
        let at = line(record);
        if !more.map_err(|error| bad(at, format!("the line cannot be read: {error}")))? {
            return Ok(false);
        }
        if record.iter().any(|field| !field.is_empty()) {
            return Ok(true);
        }
    }
}

/// The line a record begins at, counted from 1.
fn line(record: &ByteRecord) -> u64 {
    record.position().map_or(0, ::csv::Position::line)
}

/// The fields as text.
fn strings(record: &ByteRecord) -> Result<StringRecord> {
    StringRecord::from_byte_record(record.clone()).map_err(|_| bad(line(record), "the line is not UTF-8 text".into()))
}

fn bad(line: u64, message: String) -> Error {
    Error::new(ErrorKind::BadOption, message).in_field(format!("line {line}"))
}
