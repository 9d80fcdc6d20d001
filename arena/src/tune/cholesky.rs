//! The Cholesky factor L of a symmetric matrix A = L·Lᵀ (Golub and Van Loan, *Matrix computations*,
//! 4.2), for the few dozen coefficients of a [`super::model`].

/// The lower triangle L. Row i has i + 1 entries.
#[derive(Clone, Debug)]
pub struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors a symmetric matrix. `rows` is its lower triangle; row i has i + 1 entries. Takes
    /// time proportional to the third power of the number of rows.
    ///
    /// # Panics
    /// If the matrix is not positive definite.
    pub fn new(mut rows: Vec<Vec<f64>>) -> Self {
        for i in 0..rows.len() {
            let (above, row) = rows.split_at_mut(i);
            let row = &mut row[0];
            for j in 0..i {
                row[j] = (row[j] - dot(&row[..j], &above[j][..j])) / above[j][j];
            }
            let square = row[i] - dot(&row[..i], &row[..i]);
            assert!(square > 0.0, "a matrix that is not positive definite");
            row[i] = square.sqrt();
        }
        Cholesky { rows }
    }

    /// x with A·x = `sums`.
    pub fn solve(&self, sums: &[f64]) -> Vec<f64> {
        let mut solved: Vec<f64> = Vec::with_capacity(sums.len());
        for (row, sum) in self.rows.iter().zip(sums) {
            let i = solved.len();
            solved.push((sum - dot(&row[..i], &solved)) / row[i]);
        }
        self.solve_transposed(solved)
    }

    /// x with Lᵀ·x = `sums`. If these are independent standard normal numbers, x is drawn from the
    /// normal distribution with covariance A⁻¹.
    pub fn solve_transposed(&self, mut sums: Vec<f64>) -> Vec<f64> {
        for (i, row) in self.rows.iter().enumerate().rev() {
            sums[i] /= row[i];
            for j in 0..i {
                sums[j] -= row[j] * sums[i];
            }
        }
        sums
    }
}

/// The sum of the products of entries at the same index.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
