package io.carillon.server;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP: a terminal was closed, or somebody has the habit of reloading by it. Neither wants the
 * calls to end, as the JVM would. The class for signals is not part of the Java platform's
 * documented interface, so it is reached by name.
 */
final class TerminalClosed {
    private static final Logger LOG = LoggerFactory.getLogger(TerminalClosed.class);

    private TerminalClosed() {}

    /**
     * From now on the signal does not end the process.
     *
     * @param reload is run instead, on a thread of its own
     */
    static void outlive(Runnable reload) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object proxy =
                    Proxy.newProxyInstance(
                            TerminalClosed.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (self, method, arguments) -> {
                                LOG.info("SIGHUP: the configuration is read again");
                                Thread.ofPlatform().daemon().name("reload").start(reload);
                                return null;
                            });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
        } catch (ReflectiveOperationException e) {
            // Also where the process was started with the signal ignored, as nohup does.
            LOG.debug("SIGHUP is not ours", e);
        }
    }
}
