"""The rules without mail: resolve a written case, simulate, verify."""
