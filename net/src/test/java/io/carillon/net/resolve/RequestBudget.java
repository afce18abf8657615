package io.carillon.net.resolve;

import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.LookupBudget;

/** Of one request of a source. */
public final class RequestBudget implements LookupBudget {
    private final int place;
    int taken;

    public RequestBudget(int place) {
        this.place = place;
    }

    /** Of a request that nobody made us send. */
    public static RequestBudget ofNobody() {
        return new RequestBudget(Sources.NOBODY);
    }

    @Override
    public int countedAt() {
        return place;
    }

    @Override
    public boolean takeQuestion(int most) {
        return taken++ < most;
    }
}
