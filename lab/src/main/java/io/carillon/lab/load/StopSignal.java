package io.carillon.lab.load;

import java.lang.reflect.Proxy;

/**
 * Ctrl-C and SIGTERM: the first ends the load, the second the process. The class for it is not part
 * of the Java platform's documented interface, so it is reached by name; without it a signal ends
 * the process at once.
 */
final class StopSignal {
    /** 128 + SIGINT, as shells have it. */
    private static final int INTERRUPTED = 130;

    private boolean asked;

    private StopSignal() {}

    /** Runs the action, on a thread of the JVM, at the first signal. */
    static void install(Runnable first) {
        StopSignal state = new StopSignal();
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(
                            StopSignal.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (self, method, arguments) -> {
                                state.taken(first);
                                return null;
                            });
            for (String name : new String[] {"INT", "TERM"}) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
            }
        } catch (ReflectiveOperationException e) {
            System.err.println(
                    "carillon load: this JVM takes no signals (" + e + "); Ctrl-C ends at once");
        }
    }

    private synchronized void taken(Runnable first) {
        if (asked) {
            Runtime.getRuntime().halt(INTERRUPTED);
        }
        asked = true;
        first.run();
    }
}
