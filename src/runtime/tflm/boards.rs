//! Boards and their memories, as data, and whether an arena fits on one. Figures are those of the makers' documents named
//! beside them; what else a firmware needs of the RAM is not known here.

use super::arena::ArenaNeeds;
use crate::plan::Plan;
use crate::runtime::{Abi, Kernels, Program};
use crate::units::{BufferId, Step};

/// A board, or a chip where boards only carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// A short name that stays: for options and links.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// The chip.
    pub chip: &'static str,
    /// All internal RAM that data can lie in.
    pub ram_bytes: u64,
    /// The largest piece of it that one array can fill, where the document tells.
    pub block_bytes: Option<u64>,
    /// External RAM on this board.
    pub external_ram_bytes: Option<u64>,
    /// Struct sizes of its usual compiler.
    pub abi: Abi,
    /// The kernels that its usual TFLite-Micro runs.
    pub kernels: Kernels,
    /// The document that the figures are from.
    pub source: &'static str,
}

const KIB: u64 = 1024;

/// A board whose whole RAM is one block.
const fn arm(
    id: &'static str,
    name: &'static str,
    chip: &'static str,
    ram_kib: u64,
    kernels: Kernels,
    source: &'static str,
) -> Board {
    Board {
        id,
        name,
        chip,
        ram_bytes: ram_kib * KIB,
        block_bytes: Some(ram_kib * KIB),
        external_ram_bytes: None,
        abi: Abi::Arm,
        kernels,
        source,
    }
}

/// An Xtensa or RISC-V board: reference kernels, 4-byte enums.
const fn esp(id: &'static str, name: &'static str, chip: &'static str, ram_kib: u64, source: &'static str) -> Board {
    let board = arm(id, name, chip, ram_kib, Kernels::Reference, source);
    Board { block_bytes: None, abi: Abi::Ilp32, ..board }
}

impl Board {
    const fn block(mut self, kib: u64) -> Board {
        self.block_bytes = Some(kib * KIB);
        self
    }

    const fn external(mut self, kib: u64) -> Board {
        self.external_ram_bytes = Some(kib * KIB);
        self
    }

    /// The largest arena that one array can be: the largest block, or all RAM where that is not known.
    pub fn budget_bytes(&self) -> u64 {
        self.block_bytes.unwrap_or(self.ram_bytes)
    }
}

/// The boards, by name.
#[rustfmt::skip]
pub const BOARDS: &[Board] = &[
    arm("nano-33-ble", "Arduino Nano 33 BLE (Sense)", "nRF52840", 256, Kernels::CmsisNnDsp, "nRF52840 Product Specification"),
    arm("nano-33-iot", "Arduino Nano 33 IoT", "SAMD21G18A", 32, Kernels::CmsisNn, "SAM D21/DA1 Family Data Sheet"),
    arm("portenta-h7", "Arduino Portenta H7", "STM32H747XI", 1024, Kernels::CmsisNnDsp, "STM32H747xI/G Datasheet").block(512).external(8192),
    arm("microbit-v2", "BBC micro:bit v2", "nRF52833", 128, Kernels::CmsisNnDsp, "nRF52833 Product Specification"),
    arm("ek-ra8d1", "EK-RA8D1", "R7FA8D1", 1024, Kernels::CmsisNnMve, "RA8D1 Group Datasheet").block(896),
    esp("esp32", "ESP32", "ESP32", 320, "ESP-IDF Programming Guide, ESP32, Heap Memory Allocation").block(160),
    esp("esp32-c3", "ESP32-C3", "ESP32-C3", 400, "ESP32-C3 Series Datasheet"),
    esp("esp32-c6", "ESP32-C6", "ESP32-C6", 512, "ESP32-C6 Series Datasheet"),
    esp("esp32-p4", "ESP32-P4", "ESP32-P4", 768, "ESP32-P4 Series Datasheet"),
    esp("esp32-s2", "ESP32-S2", "ESP32-S2", 320, "ESP32-S2 Series Datasheet"),
    esp("esp32-s3", "ESP32-S3", "ESP32-S3", 512, "ESP32-S3 Series Datasheet"),
    esp("esp32-s3-psram", "ESP32-S3 with 8 MB PSRAM", "ESP32-S3 (N8R8 modules)", 512, "ESP32-S3-WROOM-1 Datasheet").external(8192),
    esp("esp-eye", "ESP-EYE", "ESP32, 8 MB PSRAM of which 4 MB are mapped", 320, "ESP-EYE Getting Started Guide").block(160).external(4096),
    arm("nrf5340-dk", "nRF5340 DK", "nRF5340, application core", 512, Kernels::CmsisNnDsp, "nRF5340 Product Specification"),
    arm("pico", "Raspberry Pi Pico", "RP2040", 264, Kernels::CmsisNn, "RP2040 Datasheet"),
    arm("pico-2", "Raspberry Pi Pico 2", "RP2350", 520, Kernels::CmsisNnDsp, "RP2350 Datasheet"),
    arm("wio-terminal", "Seeed Wio Terminal", "SAMD51P19", 192, Kernels::CmsisNnDsp, "SAM D5x/E5x Family Data Sheet"),
    arm("xiao-nrf52840", "Seeed XIAO nRF52840 (Sense)", "nRF52840", 256, Kernels::CmsisNnDsp, "nRF52840 Product Specification"),
    arm("sparkfun-edge", "SparkFun Edge", "Apollo3 Blue", 384, Kernels::CmsisNnDsp, "Apollo3 Blue SoC Datasheet"),
    arm("stm32f407", "STM32F407 Discovery", "STM32F407VG", 192, Kernels::CmsisNnDsp, "STM32F405xx STM32F407xx Datasheet").block(128),
    arm("stm32f411", "STM32F411 Nucleo", "STM32F411RE", 128, Kernels::CmsisNnDsp, "STM32F411xC STM32F411xE Datasheet"),
    arm("stm32f429", "STM32F429 Discovery", "STM32F429ZI", 256, Kernels::CmsisNnDsp, "STM32F427xx STM32F429xx Datasheet").block(192).external(8192),
    arm("stm32f746", "STM32F746 Discovery", "STM32F746NG", 320, Kernels::CmsisNnDsp, "STM32F745xx STM32F746xx Datasheet").external(8192),
    arm("stm32f769", "STM32F769 Discovery", "STM32F769NI", 512, Kernels::CmsisNnDsp, "STM32F765xx STM32F767xx STM32F768Ax STM32F769xx Datasheet").external(16384),
    arm("stm32h743", "STM32H743 Nucleo", "STM32H743ZI", 1024, Kernels::CmsisNnDsp, "STM32H742xI/G STM32H743xI/G Datasheet").block(512),
    arm("stm32l475", "B-L475E-IOT01A", "STM32L475VG", 128, Kernels::CmsisNnDsp, "STM32L475xx Datasheet").block(96),
    arm("stm32l4s5", "B-L4S5I-IOT01A", "STM32L4S5VI", 640, Kernels::CmsisNnDsp, "STM32L4S5xx STM32L4S7xx STM32L4S9xx Datasheet"),
    arm("stm32u585", "B-U585I-IOT02A", "STM32U585AI", 768, Kernels::CmsisNnDsp, "STM32U585xx Datasheet"),
    arm("teensy-41", "Teensy 4.1", "i.MX RT1062", 1024, Kernels::CmsisNnDsp, "i.MX RT1060 Crossover Processors Data Sheet").block(512),
];

/// The board of that id.
pub fn board(id: &str) -> Option<&'static Board> {
    BOARDS.iter().find(|board| board.id == id)
}

/// Whether an arena fits a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Bytes that one array may have.
    pub budget_bytes: u64,
    /// The arena that the model needs.
    pub needed_bytes: u64,
    /// Bytes short; 0 when it fits.
    pub short_bytes: u64,
    /// The first step at which a planned buffer ends above what the budget leaves for the head, and that buffer.
    pub first_unplaced: Option<(Step, BufferId)>,
    /// With head and tail in two memories: bytes that the head alone needs, and the tail alone.
    pub apart_bytes: [u64; 2],
}

/// Whether the planned arena fits in `budget_bytes`.
pub fn fit(budget_bytes: u64, needs: &ArenaNeeds, program: &Program, plan: &Plan) -> Fit {
    let needed_bytes = needs.recommended_bytes(0);
    let short_bytes = needed_bytes.saturating_sub(budget_bytes);
    let head_budget = budget_bytes.saturating_sub(needs.tail_bytes);
    let first_unplaced = if short_bytes == 0 { None } else { first_above(head_budget, program, plan) };
    let head = needs.two_arenas.map_or(needs.head_bytes, |[_, head]| head);
    Fit { budget_bytes, needed_bytes, short_bytes, first_unplaced, apart_bytes: [head, needs.tail_bytes] }
}

/// Of the buffers that end above `limit`, the one that is alive first; of several the lowest.
fn first_above(limit: u64, program: &Program, plan: &Plan) -> Option<(Step, BufferId)> {
    let arena = program.arenas.first()?;
    let placed = arena.buffers.iter().zip(arena.problem.requests()).zip(&plan.offsets);
    let above = placed.filter(|((_, request), offset)| **offset + request.size_bytes > limit);
    above
        .min_by_key(|((buffer, request), offset)| (request.live.first(), **offset, **buffer))
        .map(|((buffer, request), _)| (request.live.first(), *buffer))
}
