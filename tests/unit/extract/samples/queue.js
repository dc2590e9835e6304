#!/usr/bin/env node
// Jobs that wait for their turn.
import { clamp, once } from "./numbers.js";
import {
  log,
  warn,
} from './log.js';

const LIMITS = {
  least: 1,
  most: 64,
};

/* A queue with
   a size. */
export class Queue extends Array {
  #open = true;

  constructor(size, { name = "main", ...rest } = {}) {
    super();
    this.size = clamp(size, LIMITS.least, LIMITS.most); // never none
  }

  get first() { return this[0]; }

  handle = async (job) => {
    const made = await this.run(
      job,
      `job ${job.id} of ${this.map((one) => one.id).join(", ")}`,
    );
    return made ?? null;
  };

  async *drain(limit,
               step) {
    for (let i = 0; i < limit; i += step) {
      if (!this.#open)
        break;
      yield this.shift();
    }
  }
}

export const double = (x) => x * 2;

const helpers = {
  retry(times) {
    return times > 0;
  },
  "back-off": function (times) {
    return 2 ** times;
  },
};

module.exports.start = function (queue) {
  setTimeout(() => {
    log("started", queue.size);
    once(queue, "end", () => warn('done'));
  }, 500,
  queue);
};

export default function () {
  switch (LIMITS.most) {
    case 64:
      return new Queue(64, LIMITS);
    default:
      return null;
  }
}
