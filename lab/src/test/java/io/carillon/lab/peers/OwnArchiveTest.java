package io.carillon.lab.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What an archive is, by the answers of {@code ./carillon check --json}. */
class OwnArchiveTest {
    private static final Path FILE = Path.of("/home/x/my.war");

    @Test
    void itsNameAndModeAreThoseThatTheServerReads() throws IOException {
        String said =
                """
                carillon: the build is newer than what runs
                {
                  "archive" : "my.war",
                  "application" : "switch",
                  "servlets" : [ "main" ],
                  "execution" : "adaptive",
                  "findings" : [ ]
                }
                """;
        assertThat(OwnArchive.read(FILE, "desk", said))
                .isEqualTo(new Application("switch", "/home/x/my.war", "desk", "adaptive"));
    }

    @Test
    void whatIsNoArchiveIsAnsweredByTheSentenceOfCheck() {
        assertThatThrownBy(() ->
                        OwnArchive.read(
                                FILE, "desk", "carillon: my.war: broken archive, cut off\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--archive: my.war: broken archive, cut off");
    }

    @Test
    void whatHoldsNoApplicationIsRefused() {
        String said = "{ \"application\" : \"\", \"execution\" : \"\", \"findings\" : [] }";
        assertThatThrownBy(() -> OwnArchive.read(FILE, "desk", said))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holds no application that can be deployed");
    }
}
