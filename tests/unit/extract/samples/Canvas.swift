import Foundation

let most = 64

/// What is drawn on.
@MainActor
public final class Canvas<Element>: Base, Drawing where Element: Shape {
    private var shapes: [Element] = [] // in order
    let name: String

    init(name: String,
         size: Int = 1) {
        self.name = name
        super.init(size: size)
    }

    deinit {
        close(name, "canvas", true)
    }

    var count: Int {
        return shapes.count
    }

    @discardableResult
    func add(
        _ shape: Element,
        at index: Int? = nil
    ) throws -> Int {
        guard shapes.count < most,
              shape.isDrawn else {
            throw Fault.full(shapes.count, "is \(name)")
        }
        if let index = index {
            shapes.insert(shape, at: index)
        } else {
            shapes.append(shape)
        }
        shapes.forEach { one in
            one.draw()
        }
        switch index {
        case .none:
            return count
        default:
            return 0
        }
    }
}

struct Point {
    var x = 0, y = 0
    static func origin() -> Point { return Point(x: 0, y: 0) }
}

enum Fault: Error {
    case full(Int, String)
    case closed
}

protocol Drawing {
    func draw(all: Bool)
}

extension Point {
    /* The other way. */
    func turned() -> Point {
        return Point(
            x: y,
            y: x)
    }
}

func line(from start: Point, to end: Point) -> Double { return 0 }
