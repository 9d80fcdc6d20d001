//! WebAssembly's way to SIMD: the hot loop in a module of its own, which is loaded where the
//! browser has SIMD and works in this module's memory. `crate::network::simd128` is what it does.

use crate::network::layout::{SIMD_CHANNELS, TAPS};

/// The most inputs of a patch that are not 0.
pub const PATCH_ENTRIES: usize = TAPS * SIMD_CHANNELS;

#[link(wasm_import_module = "kernel")]
unsafe extern "C" {
    /// 1 if there is a kernel, else 0.
    safe fn has_kernel() -> u32;
    /// Carries out a call.
    pub fn convolve(call: *const KernelCall);
}

/// Returns true if there is a kernel.
pub fn is_there() -> bool {
    has_kernel() != 0
}

/// A convolution of [`SIMD_CHANNELS`] channels. Both modules see the same bytes.
#[repr(C)]
pub struct KernelCall {
    /// The side of the board.
    pub side: usize,
    /// 1 if inputs in the halo may be other than 0, else 0.
    pub has_border_inputs: u32,
    /// 1 if the older activations are added, else 0.
    pub residual: u32,
    /// Sums of products stay within 16 bits for every patch whose inputs sum up to at most this.
    pub safe_input_sum: u32,
    /// `[taps][inputs][outputs]`
    pub weights: *const i16,
    /// `[padded cells][channels]`
    pub input: *const u8,
    /// In the same shape: the older activations, which make room for the new ones.
    pub output: *mut u8,
    /// `[channels]`
    pub multipliers: *const i16,
    /// `[channels]`
    pub biases: *const i16,
    /// Memory for the lists of the padded cells. `[padded cells]`
    pub lists: *mut PaddedList,
    /// Memory for the lists of a patch, one behind the other. `[PATCH_ENTRIES]` and a list more.
    pub patch: *mut u16,
}

/// The inputs of a padded cell that are not 0.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct PaddedList {
    /// Each input in the low byte; above it its channel, later the place of its weights among those
    /// of a patch, `tap · SIMD_CHANNELS + channel`.
    pub entries: [u16; SIMD_CHANNELS],
    /// How many there are.
    pub length: u16,
    /// Their sum.
    pub sum: u16,
}

/// Memory that the kernel uses.
#[derive(Default)]
pub struct KernelScratch {
    /// `[padded cells]`
    pub lists: Vec<PaddedList>,
    /// The lists of a patch.
    pub patch: Vec<u16>,
}

impl KernelScratch {
    /// Memory for the convolutions of a board with so many padded cells.
    pub fn new(padded_cells: usize) -> Self {
        let list = PaddedList {
            entries: [0; SIMD_CHANNELS],
            length: 0,
            sum: 0,
        };
        KernelScratch {
            lists: vec![list; padded_cells],
            patch: vec![0; PATCH_ENTRIES + SIMD_CHANNELS],
        }
    }
}
