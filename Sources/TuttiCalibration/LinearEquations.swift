/// Small systems of linear equations.
enum LinearEquations {
    /// Solves (A + damping · diag A) x = b by Gauss with pivots; unknowns that nothing tells are 0.
    ///
    /// - Parameter matrix: as many rows of as many numbers as `vector` has.
    static func solve(_ matrix: [[Double]], _ vector: [Double], damping: Double) -> [Double] {
        let count = vector.count
        var rows = matrix.indices.map { row in matrix[row] + [vector[row]] }
        for index in rows.indices { rows[index][index] += damping * rows[index][index] + 1e-9 }
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-30
            else { continue }
            rows.swapAt(pivot, column)
            for row in column + 1..<max(count, column + 1) {
                let factor = rows[row][column] / rows[column][column]
                for index in column...count { rows[row][index] -= factor * rows[column][index] }
            }
        }
        var result = [Double](repeating: 0, count: count)
        for row in (0..<count).reversed() where abs(rows[row][row]) > 1e-30 {
            let known = (row + 1..<max(count, row + 1)).reduce(0) { $0 + rows[row][$1] * result[$1] }
            result[row] = (rows[row][count] - known) / rows[row][row]
        }
        return result
    }
}
