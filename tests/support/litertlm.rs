//! Builds `.litertlm` bytes: a header, then each section on pages of its own.

use arenascope::schema::litertlm as lm;
use flatbuffers::FlatBufferBuilder;

/// A `.litertlm` file of sections: type, `model_type`, bytes.
pub fn litertlm(sections: &[(u8, Option<&str>, &[u8])]) -> Vec<u8> {
    const BLOCK: usize = 16 * 1024;
    let mut fbb = FlatBufferBuilder::new();
    let mut begin = BLOCK;
    let mut objects = Vec::new();
    for (data_type, model_type, bytes) in sections {
        let items = model_type.map(|model_type| {
            let value = fbb.create_vector(model_type.as_bytes());
            let value = lm::LmText::create(&mut fbb, &lm::LmTextArgs { value: Some(value) });
            let key = fbb.create_vector(b"model_type");
            let args =
                lm::LmItemArgs { key: Some(key), value_type: lm::LmValue::Text, value: Some(value.as_union_value()) };
            let item = lm::LmItem::create(&mut fbb, &args);
            fbb.create_vector(&[item])
        });
        let end = begin + bytes.len();
        let args =
            lm::LmSectionArgs { items, begin_offset: begin as u64, end_offset: end as u64, data_type: *data_type };
        objects.push(lm::LmSection::create(&mut fbb, &args));
        begin = end.next_multiple_of(BLOCK);
    }
    let objects = fbb.create_vector(&objects);
    let sections_table = lm::LmSections::create(&mut fbb, &lm::LmSectionsArgs { objects: Some(objects) });
    let root = lm::LmHeader::create(&mut fbb, &lm::LmHeaderArgs { section_metadata: Some(sections_table) });
    fbb.finish(root, None);
    let header = fbb.finished_data();
    let mut file = b"LITERTLM".to_vec();
    file.extend([1_u32, 0, 0, 0].iter().flat_map(|word| word.to_le_bytes()));
    file.extend((32 + header.len() as u64).to_le_bytes());
    file.extend(header);
    for (_, _, bytes) in sections {
        file.resize(file.len().next_multiple_of(BLOCK), 0);
        file.extend(*bytes);
    }
    file
}
