package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.appender.AsyncAppender;
import org.apache.logging.log4j.core.config.AppenderRef;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.Test;

/** A terminal that nobody reads. */
class LogQueueFullTest {
    private static final class Terminal extends AbstractAppender {
        final CountDownLatch read = new CountDownLatch(1);

        Terminal() {
            super("nobody-reads", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            try {
                read.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void linesThatFindTheQueueFullAreLeftOutAndCountedAndNobodyWaits() {
        Configuration configuration = LoggerContext.getContext(false).getConfiguration();
        Terminal terminal = new Terminal();
        terminal.start();
        configuration.addAppender(terminal);
        AsyncAppender queue =
                AsyncAppender.newBuilder()
                        .setName("queue")
                        .setBufferSize(8)
                        .setAppenderRefs(
                                new AppenderRef[] {
                                    AppenderRef.createAppenderRef("nobody-reads", null, null)
                                })
                        .setConfiguration(configuration)
                        .build();
        queue.start();
        long before = LogQueueFull.leftOut();
        try {
            for (int i = 0; i < 100; i++) {
                queue.append(
                        Log4jLogEvent.newBuilder()
                                .setLoggerName("test")
                                .setLevel(i % 2 == 0 ? Level.INFO : Level.ERROR)
                                .setMessage(new SimpleMessage("line " + i))
                                .build());
            }
            // Eight wait, and one is being written.
            assertThat(LogQueueFull.leftOut() - before).isBetween(90L, 92L);
        } finally {
            terminal.read.countDown();
            queue.stop();
            configuration.getAppenders().remove("nobody-reads");
        }
    }
}
