package io.carillon.lab.process;

/** A process that is ended when this one ends first: an interrupted run leaves nothing behind. */
public final class Leash {
    private final Thread end;

    private Leash(Thread end) {
        this.end = end;
    }

    public static Leash on(Process process) {
        Thread end = Thread.ofPlatform().name("end-" + process.pid()).unstarted(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        return new Leash(end);
    }

    /** The process has been ended otherwise. */
    public void release() {
        try {
            Runtime.getRuntime().removeShutdownHook(end);
        } catch (IllegalStateException e) {
            // This process is being ended: the hook runs already, and finds the other one ended.
            return;
        }
    }
}
