//! Taking away: pictures, report, table.

use serde_json::{Value, json};

use crate::harness::{DESKTOP, sample, with_page};

#[test]
fn pictures_report_and_table_can_be_saved() {
    with_page(DESKTOP, |page| async move {
        page.drop_file("residual_block.tflite", &sample("residual_block.tflite")).await?;
        page.opened().await?;
        let save = async |kind: &str| {
            page.click("#export").await?;
            page.click(&format!("#export-{kind}")).await
        };
        save("png-2").await?;
        let png = page.downloaded("residual_block.tflite.arena.png").await;
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert_eq!((&png[1..4], side(16), side(20)), (&b"PNG"[..], 2400, 1520));
        save("svg").await?;
        let svg = String::from_utf8(page.downloaded("residual_block.tflite.arena.svg").await).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("residual_block.tflite") && svg.contains("sha256"));
        save("json").await?;
        let json: Value = serde_json::from_slice(&page.downloaded("residual_block.tflite.arena.json").await).unwrap();
        assert_eq!(json["schema"], json!(1));
        save("csv").await?;
        let csv = String::from_utf8(page.downloaded("residual_block.tflite.arena.csv").await).unwrap();
        assert!(csv.starts_with("id,lower,upper,size,offset"), "{csv}");
        Ok(())
    });
}
