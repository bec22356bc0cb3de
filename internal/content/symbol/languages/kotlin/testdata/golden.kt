package a.b
abstract class Reader<T>(val path: String, private val n: Int = 1) : Base(path), Walk {
    val size: Int = 3
    private var secret = 1
    protected abstract fun close()
    internal fun inner() = 1
}
interface Walk {
    fun walk(): Int
}
enum class Color(val n: Int) { RED(1), GREEN(2); fun label() = "x" }
fun String.parse(strict: Boolean = true): Int = 1
private fun hidden() {}
