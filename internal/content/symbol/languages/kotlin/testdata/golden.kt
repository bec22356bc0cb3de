package a.b
import c.D
/** Doc. */
@Deprecated("x")
abstract class Reader<T>(val path: String, private val n: Int = 1) : Base(path), Walk where T : Any {
    val size: Int = 3
    private var secret = 1
    fun <U> read(n: Int, vararg rest: String): List<U> { fun local() {}; return listOf() }
    protected abstract fun close()
    internal fun inner() = 1
    constructor(a: Int) : this("x")
    companion object {
        const val LIMIT = 10
    }
    class Nested { fun f() = 1 }
}
interface Walk { fun walk(): Int }
object Single { fun m() {} }
enum class Color(val n: Int) { RED(1), GREEN(2); fun label() = "x" }
data class Point(val x: Int, val y: Int)
fun String.parse(strict: Boolean = true): Int = 1
private fun hidden() {}
val top by lazy { 1 }
typealias Alias = Map<String, Int>
