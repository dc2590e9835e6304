package org.example.game

import kotlin.math.max

const val MOST = 64

/** Who plays. */
@Serializable
@Table(name = "players",
    schema = "game")
data class Player<T : Any>(
    val name: String,
    private var score: Int = 0, // so far
) : Base(name), Named {
    val level: Int
        get() = max(score / 10, 1)

    init {
        require(name.isNotEmpty()) { "no name" }
    }

    @Synchronized
    override fun add(
        points: Int,
        reason: String?,
    ): Int {
        val before = score
        for (point in 0 until points) {
            score += 1
        }
        if (score > MOST &&
            reason != null) {
            throw TooMany(score, "too many: $reason",
                before)
        } else if (score < 0) {
            return 0
        }
        names().forEach { one ->
            println(one)
        }
        return when (reason) {
            null -> score
            else -> score + 1
        }
    }

    fun twice() = score * 2

    companion object {
        fun of(name: String) = Player<Int>(name, 0)
    }

    enum class State { OPEN, CLOSED }
}

/* What has a name. */
interface Named {
    fun names(): List<String>
}

object Registry {
    val players = mutableListOf<Player<*>>()
}

fun Player<*>.shout(): String {
    return name.uppercase()
}
