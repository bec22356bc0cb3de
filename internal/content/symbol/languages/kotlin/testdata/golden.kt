@file:JvmName("Readers")
package a.b
import java.io.Closeable

/** Doc. */
@Deprecated("use Other")
abstract class Reader<T : Any>(val path: String, private val size: Int = 1) : Base(path), Closeable where T : Comparable<T> {
  constructor(n: Int) : this("$n") { println(n) }
  init { println("x") }
  val limit = 10
  var count: Int = 0
    private set
  var name: String
    get() = field
    set(value) { field = value }
  protected abstract fun close(now: Boolean = true): Int
  private fun hidden() { fun local() {} }
  internal fun inModule() = 1
  override suspend fun <U> read(n: Int, vararg rest: String): List<U> { class Local; return listOf() }
  inner class Inner { fun m() = 1 }
  companion object { const val MAX: Int = 3; fun of() = 1 }
}
enum class Color(val rgb: Int) {
  RED(1), GREEN(2) { override fun f() = 2 };
  open fun f(): Int = 1
}
sealed interface Shape { data class Circle(val r: Double) : Shape; data object None : Shape }
fun interface Walker { fun walk(step: Int) }
object Single : Base("x") { @JvmField val instance: Single by lazy { Single } }
annotation class Mark(val value: String = "x")
typealias Names<T> = Map<String, (T) -> Unit>
public inline fun <reified T> List<T>.second(crossinline by: (T) -> Boolean): T = first { by(it) }
val String.lines: Int get() = 1
val handler = { x: Int -> x + 1 }
internal class InModule { fun m() {} }
private val secret = 1
