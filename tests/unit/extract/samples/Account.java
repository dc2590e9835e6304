package org.example.bank;

import java.util.List;

/** Money that is kept. */
@Entity
@Table(name = "accounts",
       schema = "bank")
public class Account<T extends Number> extends Base implements Holder {
    private static final String NAME = "account"; // shown

    private final List<T> entries;

    public Account(List<T> entries) {
        super(entries.size(), NAME);
        this.entries = entries;
    }

    @Override
    public int total(
            int start) throws Overdrawn {
        int sum = start;
        for (T entry : entries) {
            sum += entry.intValue();
        }
        if (sum < 0)
            throw new Overdrawn(sum,
                    "too little", NAME);
        return sum;
    }

    Runnable later() {
        return new Runnable() {
            @Override
            public void run() {
                entries.forEach(entry -> {
                    print(entry, 'x', """
                        a block
                        """);
                });
            }
        };
    }

    enum State {
        OPEN,
        CLOSED { boolean last() { return true; } };
    }

    record Pair(int left, int right) {
        Pair {
            check(left, right);
        }
    }

    interface Holder {
        /* How much. */
        int total(int start);
    }

    static int sign(int x) {
        return switch (x) {
            case 0 -> 0;
            default -> x > 0 ? 1 : -1;
        };
    }
}
