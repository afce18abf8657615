package io.carillon.server.log;

import java.util.logging.Logger;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.apache.logging.log4j.jul.LevelTranslator;
import org.apache.logging.log4j.jul.Log4jBridgeHandler;

/**
 * What is logged by java.util.logging stands in the server's log, by the same levels. There so much
 * passes as the most talkative logger writes; the log decides of each line. Any thread.
 */
public final class JulLines {
    /** Kept, so that its level is: the JDK holds loggers weakly. */
    private static final Logger ROOT = Logger.getLogger("");

    private static boolean bridged;
    private static Level raised = Level.OFF;

    private JulLines() {}

    /** From now on; once for the process. */
    public static synchronized void begin() {
        if (!bridged) {
            Log4jBridgeHandler.install(true, "", false);
            bridged = true;
        }
        levels();
    }

    /** The levels of the log have changed. */
    public static synchronized void levels() {
        if (!bridged || !(LogManager.getContext(false) instanceof LoggerContext context)) {
            return;
        }
        Level most = raised;
        for (LoggerConfig one : context.getConfiguration().getLoggers().values()) {
            most = one.getLevel().isLessSpecificThan(most) ? one.getLevel() : most;
        }
        ROOT.setLevel(LevelTranslator.toJavaLevel(most));
    }

    /** So much is written of single calls; {@link Level#OFF}: of none more than of others. */
    static synchronized void raised(Level level) {
        raised = level;
        levels();
    }
}
