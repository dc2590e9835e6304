import type { Unit } from "./unit";

/** What can be drawn. */
export interface Shape<T = number> {
  readonly name: string;
  area(scale: T): number;
}

export type Sized =
  | { width: number }
  | { radius: number };

enum Colour {
  Red = "red",
  Green = "green",
}

function frozen(target: Function) {
  Object.freeze(target);
}

@frozen
export class Circle implements Shape {
  static made = 0;

  constructor(private readonly radius: number) {}

  @logged("area")
  @cached
  area(
    scale: number,
  ): number {
    // The usual formula.
    return Math.PI * this.radius ** 2 * scale;
  }

  onResize = (event: Event): void => {
    this.resize(event, "circle", { unit: Colour.Red });
  };
}

namespace geometry {
  export function total(shapes: Shape[]): number {
    return shapes.reduce((sum, shape) => sum + shape.area(1), 0);
  }

  export abstract class Base<T> {
    abstract draw(): void;
  }
}

export const unit = <T,>(value: T): T => {
  return value;
};

declare module "ambient" {
  export function later(name: string): Promise<Unit>;
}
