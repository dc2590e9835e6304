package org.example.graphs

import scala.collection.mutable.{
  Map,
  Set
}

/** What has edges. */
trait Edges[A] {
  def edges(from: A): Seq[A]

  def degree(from: A): Int = edges(from).size
}

case class Node(name: String, weight: Int = 1)

@deprecated("old", "1.0")
class Graph[A](
    nodes: Seq[A],
    name: String
) extends Edges[A] {
  private val known = Map.empty[A, Seq[A]] // so far

  val limits = Seq(
    1,
    64
  )

  override def edges(from: A): Seq[A] = {
    val found = known.getOrElse(from, Nil)
    if (found.isEmpty &&
        name != "main") {
      println(s"nothing for $from", name, 'x')
    } else {
      log(found)
    }
    found.foreach { one =>
      visit(one, "edge", true)
    }
    from match {
      case null => Nil
      case _ =>
        found
    }
  }

  def sum(
      start: Int
  ): Int =
    nodes.map(_ => start).sum
}

object Graph {
  /* An empty one. */
  def empty[A]: Graph[A] = new Graph(Nil, """
    none
  """)
}
