package io.carillon.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.Property;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.core.impl.ReusableLogEventFactory;
import org.apache.logging.log4j.message.Message;
import org.apache.logging.log4j.message.ParameterizedMessage;
import org.apache.logging.log4j.message.ReusableMessageFactory;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What libraries warn of because strangers make them. Time is a number. */
class LibraryLinesTest {
    private static final String JETTY = "org.eclipse.jetty.http.HttpParser";

    private static final class Paper extends AbstractAppender {
        final List<String> lines = new ArrayList<>();

        Paper() {
            super("paper", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            lines.add(event.getMessage().getFormattedMessage());
        }
    }

    private final Configuration configuration = LoggerContext.getContext(false).getConfiguration();
    private final Paper paper = new Paper();
    private long now = Long.MAX_VALUE - 10;
    private final LibraryLines lines = new LibraryLines("lines", configuration, "paper", () -> now);
    private final long before = LibraryLines.suppressed();

    @BeforeEach
    void begin() {
        paper.start();
        configuration.addAppender(paper);
        lines.start();
    }

    @AfterEach
    void end() {
        configuration.getAppenders().remove("paper");
    }

    private void write(String logger, Level level, Message message) {
        lines.append(
                Log4jLogEvent.newBuilder()
                        .setLoggerName(logger)
                        .setLevel(level)
                        .setMessage(message)
                        .build());
    }

    private void warn(String host) {
        write(JETTY, Level.WARN, new ParameterizedMessage("bad host {}", host));
    }

    @Test
    void oneLineASecondOfAKindAndTheNextSaysHowManyThereWere() {
        for (int i = 0; i < 300; i++) {
            warn("h" + i);
        }
        assertThat(paper.lines).containsExactly("bad host h0");
        now += LibraryLines.EVERY_NANOS - 1;
        warn("early");
        now++;
        warn("late");
        now += LibraryLines.EVERY_NANOS;
        warn("later");
        assertThat(paper.lines)
                .containsExactly(
                        "bad host h0", "bad host late (300 more like it)", "bad host later");
        assertThat(LibraryLines.suppressed() - before).isEqualTo(300);
    }

    /** As loggers make them, which use one object again and again. */
    @Test
    void eventsThatAreUsedAgainAreOfOneKindToo() {
        ReusableLogEventFactory events = new ReusableLogEventFactory();
        for (int i = 0; i < 3; i++) {
            LogEvent event =
                    events.createEvent(
                            JETTY,
                            null,
                            "test",
                            Level.WARN,
                            ReusableMessageFactory.INSTANCE.newMessage("bad host {}", "h" + i),
                            List.of(),
                            null);
            lines.append(event);
            ReusableLogEventFactory.release(event);
            now += i == 1 ? LibraryLines.EVERY_NANOS : 0;
        }
        assertThat(paper.lines).containsExactly("bad host h0", "bad host h2 (1 more like it)");
    }

    @Test
    void anotherKindHasItsOwnLine() {
        warn("a");
        write(JETTY, Level.WARN, new ParameterizedMessage("bad verb {}", "b"));
        write("org.h2.jdbc", Level.ERROR, new ParameterizedMessage("bad host {}", "c"));
        assertThat(paper.lines).containsExactly("bad host a", "bad verb b", "bad host c");
    }

    @Test
    void ourOwnLinesAndThoseBelowWarnPass() {
        for (int i = 0; i < 3; i++) {
            write("io.carillon.server.Server", Level.WARN, new SimpleMessage("ours"));
            write(JETTY, Level.INFO, new SimpleMessage("told"));
        }
        assertThat(paper.lines).hasSize(6);
    }

    @Test
    void whoPutsHisTextIntoTheMessageItselfHasTheLinesOfThePlacesAndNoMore() {
        for (int i = 0; i < 10_000; i++) {
            write(JETTY, Level.WARN, new SimpleMessage("bad host " + i));
        }
        assertThat(paper.lines).hasSize(LibraryLines.PLACES);
    }

    @Test
    void theShippedLogHasThemBeforeItsQueue() {
        Configuration shipped = LoggerContext.getContext(false).getConfiguration();
        assertThat(shipped.getRootLogger().getAppenders().values())
                .hasAtLeastOneElementOfType(LibraryLines.class);
    }
}
