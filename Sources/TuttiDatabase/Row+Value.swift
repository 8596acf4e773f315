package import GRDB

extension Row {
    /// A column's value; nil where there is none of that kind, which a damaged row may have.
    package func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
        Value.fromDatabaseValue(self[column] as DatabaseValue)
    }
}
