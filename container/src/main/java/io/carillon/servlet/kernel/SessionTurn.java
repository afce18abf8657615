package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.LoopUse;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.servlet.turn.Turn;
import io.carillon.sip.event.CarriedWork;

/**
 * Where the handlers of an application session run: as its application declares ({@link
 * ExecutionMode}), and as it has used the event loops ({@link LoopUse}). Any thread.
 */
abstract class SessionTurn extends Turn implements CarriedWork {
    /**
     * What has waited so long for its loop runs on threads of the application: there other
     * processors help, and a source has its share.
     */
    static final long LATE_NANOS = 20_000_000;

    protected abstract ApplicationThreads threads();

    public abstract Application application();

    /** As in JSR 289. */
    public abstract String getId();

    /** Does the application run to completion on the shards? */
    public boolean nonBlocking() {
        return application().description().execution() == ExecutionMode.NON_BLOCKING;
    }

    @Override
    protected void schedule() {
        switch (application().description().execution()) {
            case NON_BLOCKING -> home().executor().execute(this);
            case BLOCKING -> threads().execute(this, countedAt());
            case ADAPTIVE -> {
                if (!mayBeCarried() || !home().executor().carry(this)) {
                    threads().execute(this, countedAt());
                }
            }
        }
    }

    /** May its handlers run on the loop of its shard? */
    private boolean mayBeCarried() {
        LoopUse use = application().parts().get(LoopUse.SLOT);
        return use != null && (!use.offended() || use.may(home().executor().nanoTime()));
    }

    @Override
    public Object owner() {
        return application();
    }

    @Override
    public boolean stays(long waitedNanos) {
        if (waitedNanos < LATE_NANOS && mayBeCarried()) {
            return true;
        }
        threads().execute(this, countedAt());
        return false;
    }

    @Override
    public boolean goesOn(Runnable rest, long waitedNanos) {
        return (waitedNanos < LATE_NANOS && mayBeCarried()) || !threads().goOn(rest, countedAt());
    }

    @Override
    public void heldTheShard(long nanos) {
        LoopUse use = application().parts().get(LoopUse.SLOT);
        if (use != null) {
            use.offence(home().executor().nanoTime(), nanos, getId());
        }
    }

    @Override
    protected boolean mayRunHere() {
        return nonBlocking() && onEventLoop();
    }

    @Override
    protected boolean sharesThread() {
        return application().description().execution() != ExecutionMode.BLOCKING;
    }

    @Override
    protected long nanoTime() {
        return home().executor().nanoTime();
    }
}
