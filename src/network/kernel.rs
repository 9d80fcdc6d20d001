//! SIMD for WebAssembly: the hot loops are in a module of their own, the kernel. It is loaded if
//! the browser has SIMD, and works in this module's memory. Its source is `wasm/kernel`.

use crate::network::layout::{PaddedLayout, SIMD_CHANNELS, TAPS};

/// Numbers of 16 bits in a vector of the kernel.
pub const LANES: usize = 8;

/// The distance between the taps of neighbouring cells in an im2row, the list of the taps of a row
/// of cells. The seven taps of each cell follow one another in the order of the weights. Those of
/// the next cell begin three entries further on, so the patches of neighbours overlap.
///
/// ```text
///   b e h …          list    a b c D e f G h i J …
///  a D G J …         cell D  a b c D e f G
///   c f i …          cell G        D e f G h i J
/// ```
pub const IM2ROW_STEP: usize = 3;

#[link(wasm_import_module = "kernel")]
unsafe extern "C" {
    /// 1 if there is a kernel, else 0.
    safe fn has_kernel() -> u32;
    /// Carries out a call.
    pub fn convolve(call: *const KernelCall);
    /// Pools the `activations` of a board of this side, `[padded cells][SIMD_CHANNELS]`: the mean
    /// of every channel, rounded down, then its maximum. `pooled`: `[2 · SIMD_CHANNELS]`
    fn pool(side: usize, activations: *const u8, pooled: *mut u8);
    /// The sums of products of every cell's patch with `weights`, `[taps][SIMD_CHANNELS]`.
    /// `activations` as for `pool`, `sums`: `[cells]`
    fn dot_patches(side: usize, activations: *const u8, weights: *const i8, sums: *mut i32);
}

/// Returns true if there is a kernel.
pub fn is_there() -> bool {
    has_kernel() != 0
}

/// Pools `activations`, `[padded cells][SIMD_CHANNELS]`, into the front of `pooled`.
///
/// # Panics
/// If the number of activations is another one, or `pooled` has no room for two numbers a channel.
pub fn pool_board(layout: &PaddedLayout, activations: &[u8], pooled: &mut [u8]) {
    assert_eq!(activations.len(), layout.padded_cells * SIMD_CHANNELS);
    let pooled = &mut pooled[..2 * SIMD_CHANNELS];
    // SAFETY: the lengths are right.
    unsafe { pool(layout.side, activations.as_ptr(), pooled.as_mut_ptr()) };
}

/// Computes into `sums` the sums of products of every cell's patch with `weights`,
/// `[taps][SIMD_CHANNELS]`.
///
/// # Panics
/// If the number of weights or activations is another one.
pub fn policy_sums(layout: &PaddedLayout, activations: &[u8], weights: &[i8], sums: &mut Vec<i32>) {
    assert_eq!(activations.len(), layout.padded_cells * SIMD_CHANNELS);
    assert_eq!(weights.len(), TAPS * SIMD_CHANNELS);
    sums.resize(layout.tap_origins.len(), 0);
    let (weights, sums) = (weights.as_ptr(), sums.as_mut_ptr());
    // SAFETY: the lengths are right.
    unsafe { dot_patches(layout.side, activations.as_ptr(), weights, sums) };
}

/// A convolution of [`SIMD_CHANNELS`] channels. Both modules read the same bytes.
#[repr(C)]
pub struct KernelCall {
    /// The side of the board.
    pub side: usize,
    /// 1 if the inputs are the planes, whose halo is not 0, else 0.
    pub reads_planes: u32,
    /// 1 if the older activations are added, else 0.
    pub residual: u32,
    /// `[taps][inputs][outputs]`
    pub weights: *const i16,
    /// `[padded cells][channels]`
    pub input: *const u8,
    /// In the same shape: the older activations, then the new ones.
    pub output: *mut u8,
    /// `[channels]`
    pub multipliers: *const i16,
    /// `[channels]`
    pub biases: *const i16,
    /// For every set of eight lanes, as bits, the positions of its members' bytes in a vector.
    pub members: *const [u8; 2 * LANES],
    /// Memory for the lists of the padded cells. `[padded cells]`
    pub lists: *mut PaddedList,
    /// Memory for the inputs of a row's im2row, one list after the other.
    pub row_inputs: *mut u16,
    /// Memory for the places of their weights, as in [`PaddedList::weights`].
    pub row_weights: *mut u16,
    /// Memory for the number of inputs before each entry of the im2row, and before its end.
    pub prefix: *mut usize,
}

/// The inputs of a padded cell that are not 0; the rest of the lists is undefined.
#[derive(Clone, Copy, Default)]
#[repr(C, align(16))]
pub struct PaddedList {
    /// 1 to 127.
    pub inputs: [u16; SIMD_CHANNELS],
    /// The place of the weights of each input, in units of eight bytes: those of the first tap
    /// here, those for the row's first cell in an im2row.
    pub weights: [u16; SIMD_CHANNELS],
    /// The number of inputs.
    pub length: usize,
}

/// Memory that the kernel uses.
#[derive(Default)]
pub struct KernelScratch {
    /// `[sets][bytes of a vector]`
    pub(crate) members: Vec<[u8; 2 * LANES]>,
    /// `[padded cells]`
    pub(crate) lists: Vec<PaddedList>,
    /// The inputs of a row.
    pub(crate) row_inputs: Vec<u16>,
    /// The places of their weights.
    pub(crate) row_weights: Vec<u16>,
    /// The number of inputs before each entry.
    pub(crate) prefix: Vec<usize>,
}

impl KernelScratch {
    /// Memory for the convolutions of a board with this layout.
    pub fn new(layout: &PaddedLayout) -> Self {
        let entries = IM2ROW_STEP * (layout.side - 1) + TAPS + 1;
        KernelScratch {
            members: (0..1 << LANES).map(members).collect(),
            lists: vec![PaddedList::default(); layout.padded_cells],
            row_inputs: vec![0; entries * SIMD_CHANNELS],
            row_weights: vec![0; entries * SIMD_CHANNELS],
            prefix: vec![0; entries],
        }
    }
}

/// The positions of a set's members' bytes in a vector, in ascending order. The rest of the entries
/// does not matter.
fn members(set: usize) -> [u8; 2 * LANES] {
    let lanes = (0..LANES).filter(|lane| set >> lane & 1 != 0);
    let mut bytes = lanes.flat_map(|lane| [2 * lane as u8, 2 * lane as u8 + 1]);
    std::array::from_fn(|_| bytes.next().unwrap_or(0))
}
