package io.carillon.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The legs of one side: made when more are needed than ever before, then used again. */
final class LegPool<L extends Leg> {
    private final IntFunction<L> maker;
    private final List<L> legs = new ArrayList<>();
    private final List<L> free = new ArrayList<>();

    LegPool(IntFunction<L> maker) {
        this.maker = maker;
    }

    L take() {
        L leg;
        if (free.isEmpty()) {
            leg = maker.apply(legs.size());
            legs.add(leg);
        } else {
            leg = free.removeLast();
        }
        leg.take();
        return leg;
    }

    void giveBack(L leg) {
        leg.giveBack();
        free.add(leg);
    }

    /** The leg that a token names, or null when that use of it is over. */
    @Nullable L find(long token) {
        int index = LegTokens.index(token);
        L leg = index < legs.size() ? legs.get(index) : null;
        return leg != null && leg.used() && LegTokens.isOf(token, leg) ? leg : null;
    }

    /** Legs in use, those that wait for late messages included. */
    int used() {
        return legs.size() - free.size();
    }

    void forEachUsed(Consumer<L> action) {
        for (int i = 0; i < legs.size(); i++) {
            if (legs.get(i).used()) {
                action.accept(legs.get(i));
            }
        }
    }
}
