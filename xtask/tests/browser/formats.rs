//! Every kind of file that people have: each opens on the page, or the page says what it is.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use thirtyfour::prelude::WebDriverResult;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::harness::{DESKTOP, PHONE, Page, sample, with_page};

const ARENA: &str = "112,896 B";

fn model() -> Vec<u8> {
    sample("residual_block.tflite")
}

fn array(name: &str, bytes: &[u8]) -> String {
    let numbers: Vec<_> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
    format!(
        "alignas(16) const unsigned char {name}[] = {{\n  {}\n}};\nconst unsigned int {name}_len = {};\n",
        numbers.join(", "),
        bytes.len()
    )
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

/// A `.litertlm` file with these models in it, and what such files hold besides.
fn litertlm(models: &[&[u8]]) -> Vec<u8> {
    let tokens: (u8, Option<&str>, &[u8]) = (4, None, b"tokens");
    let models = models.iter().map(|model| (3, None, *model));
    crate::support::litertlm::litertlm(&models.chain([tokens]).collect::<Vec<_>>())
}

async fn opens(page: &Page, name: &str, bytes: &[u8]) -> WebDriverResult<()> {
    page.drop_file(name, bytes).await?;
    page.wait(&format!(
        "document.documentElement.dataset.phase === 'ready' && document.querySelector('#open').innerText === {name:?}"
    ))
    .await?;
    page.settle().await?;
    assert_eq!(page.text("#verdict .number").await?, ARENA, "{name}");
    assert!(page.text("#ops").await?.contains("CONV_2D"), "{name}");
    Ok(())
}

#[test]
fn whatever_holds_one_model_opens() {
    with_page(DESKTOP, |page| async move {
        let source = array("g_model", &model());
        opens(&page, "model.h", format!("#ifndef MODEL_H\n#define MODEL_H\n{source}#endif\n").as_bytes()).await?;
        opens(&page, "model.cc", format!("#include \"model.h\"\n// the model\nnamespace {{\n{source}}}\n").as_bytes())
            .await?;
        opens(&page, "model.cpp", source.as_bytes()).await?;
        opens(&page, "model.tflite.gz", &gzipped(&model())).await?;
        opens(&page, "model.zip", &zipped(&[("readme.txt", b"hello"), ("deep/model.tflite", &model())])).await?;
        opens(&page, "model.task", &zipped(&[("model.tflite", &model())])).await?;
        opens(&page, "bundle.zip.gz", &gzipped(&zipped(&[("model.tflite", &model())]))).await?;
        opens(&page, "model.litertlm", &litertlm(&[&model()])).await?;
        Ok(())
    });
}

#[test]
fn of_several_models_one_is_chosen() {
    let other = sample("four_branches.tflite");
    let source = [array("g_branches", &other), array("g_residual", &model())].concat();
    let bundle = zipped(&[("face_detector.tflite", &other), ("face_landmarks.tflite", &model())]);
    let lm = litertlm(&[&other, &model()]);
    with_page(PHONE, |page| async move {
        for (name, bytes, label) in [
            ("two.cpp", source.into_bytes(), "g_residual"),
            ("two.task", bundle, "face_landmarks.tflite"),
            ("two.litertlm", lm, ""),
        ] {
            page.drop_file(name, &bytes).await?;
            page.wait(&format!("document.documentElement.dataset.phase === 'choosing' && document.querySelector('.choices h1').innerText.includes({name:?})")).await?;
            assert!(page.text(".choices").await?.contains(label), "{name}");
            page.click(".choices .sample:nth-child(2)").await?;
            page.wait("document.documentElement.dataset.phase === 'ready'").await?;
            assert_eq!(page.text("#verdict .number").await?, ARENA, "{name}");
        }
        Ok(())
    });
}

#[test]
fn a_pasted_array_a_plan_file_and_a_table_open() {
    with_page(DESKTOP, |page| async move {
        let text = array("pasted_model", &model());
        let paste = format!(
            "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {text:?}); document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }})); return true; }})()"
        );
        page.eval(&paste).await?;
        page.wait("document.documentElement.dataset.phase === 'ready'").await?;
        assert_eq!(page.text("#verdict .number").await?, ARENA);
        let plan = json!({ "arenascope_plan": 1, "name": "two <b>", "alignment": 16, "buffers": [
            { "name": "a", "size": 100, "first_step": 0, "last_step": 1 }, { "name": "b", "size": 60, "first_step": 1, "last_step": 2 }] });
        page.drop_file("two.plan.json", plan.to_string().as_bytes()).await?;
        page.wait("document.querySelector('#open').innerText === 'two.plan.json' && document.documentElement.dataset.phase === 'ready'").await?;
        page.settle().await?;
        assert_eq!(page.text("#verdict .number").await?, "172 B");
        page.drop_file("table.csv", b"id,lower,upper,size\na,0,2,4096\nb,1,3,1024\n").await?;
        page.wait("document.querySelector('#open').innerText === 'table.csv' && document.documentElement.dataset.phase === 'ready'").await?;
        page.settle().await?;
        assert_eq!(page.text("#verdict .number").await?, "5,120 B");
        Ok(())
    });
}

#[test]
fn anything_else_is_told_by_name() {
    let onnx = b"\x08\x07\x12\x07pytorch\x1a\x051.8.0".to_vec();
    let elf = [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 60]].concat();
    let files: Vec<(&str, Vec<u8>, &str)> = vec![
        ("model.onnx", onnx, "an ONNX model"),
        ("model.pt", zipped(&[("model/data.pkl", b"\x80\x02}q\0."), ("model/version", b"3")]), "a PyTorch file"),
        ("old.pt", b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.".to_vec(), "a Python pickle"),
        ("model.h5", b"\x89HDF\r\n\x1a\n\0\0\0\0".to_vec(), "a Keras model in HDF5 format"),
        ("model.keras", zipped(&[("config.json", b"{}"), ("model.weights.h5", b"\x89HDF")]), "a Keras model"),
        (
            "saved.zip",
            zipped(&[("saved_model.pb", b"\x08\x01\x12"), ("variables/variables.index", b"\0")]),
            "a TensorFlow SavedModel",
        ),
        (
            "saved_model.pb",
            b"\x08\x01\x12\xb0\x10\n\xa2\x10\n\x0e\n\x03Add\x12\x06\n\x01x\"\x01T".to_vec(),
            "a TensorFlow SavedModel",
        ),
        (
            "frozen.pb",
            b"\n\x1f\n\x05input\x12\x0bPlaceholder*\t\n\x05dtype\x12\0".to_vec(),
            "a frozen TensorFlow graph",
        ),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(), "a PNG image"),
        ("firmware.elf", elf, "a program or library (ELF)"),
        ("data.json", b"{ \"layers\": [1, 2] }".to_vec(), "a JSON file"),
        ("notes.txt", b"Only words, and no model.\n".to_vec(), "a text file without a model"),
        (
            "pointer.tflite",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".to_vec(),
            "a Git LFS pointer",
        ),
        ("page.html", b"<!doctype html><title>login</title>".to_vec(), "a web page"),
        ("weights.gguf", b"GGUF\x03\0\0\0".to_vec(), "a GGUF model"),
        ("weights.safetensors", b"\x10\0\0\0\0\0\0\0{\"a\":{\"dtype\"}}".to_vec(), "a safetensors file"),
        ("empty.tflite", Vec::new(), "the file is empty"),
        ("table.csv", b"name,age\nann,4\n".to_vec(), "a text file without a model"),
        (
            "numbers.h",
            b"const int t[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 };\n".to_vec(),
            "C source with 1 array",
        ),
        (
            "random.bin",
            (0..4096_u32).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect(),
            "random.bin is not a TensorFlow Lite model",
        ),
    ];
    with_page(DESKTOP, |page| async move {
        for (name, bytes, what) in files {
            page.drop_file(name, &bytes).await?;
            page.wait(&format!("document.documentElement.dataset.phase === 'failed' && document.querySelector('#start h2').innerText.includes({name:?})")).await?;
            let text = page.text("#start").await?;
            assert!(text.to_lowercase().contains(&what.to_lowercase()), "{name}: {text}");
            assert!(text.contains("What next:"), "{name}: {text}");
        }
        Ok(())
    });
}
