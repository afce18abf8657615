package io.carillon.lab.process;

/** A process that is ended when this one ends first: an interrupted run leaves nothing behind. */
public final class ProcessGuard {
    private final Thread end;

    private ProcessGuard(Thread end) {
        this.end = end;
    }

    public static ProcessGuard on(Process process) {
        Thread end = Thread.ofPlatform().name("end-" + process.pid()).unstarted(process::destroy);
        Runtime.getRuntime().addShutdownHook(end);
        return new ProcessGuard(end);
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
