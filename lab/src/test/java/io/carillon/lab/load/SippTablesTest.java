package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** SIPp's tables, from a run of 60 calls through a slow way. */
class SippTablesTest {
    private @TempDir Path folder;

    @BeforeEach
    void copyTables() throws IOException {
        for (String name : List.of("uac_7107_.csv", "uac_7107_counts.csv", "uac_7107_rtt.csv")) {
            try (InputStream in = SippTablesTest.class.getResourceAsStream("sipp/" + name)) {
                Files.copy(in, folder.resolve(name));
            }
        }
    }

    @Test
    void callsAndMessagesAreReadFromTheLastLines() throws IOException {
        assertThat(SippTables.read(folder)).isEqualTo(new SippTables(60, 60, Map.of(), 0, 4, 0, 0));
    }

    @Test
    void repeatedMessagesOfTheServerAreReceivedAgain() throws IOException {
        Files.writeString(
                folder.resolve("uac_7107_counts.csv"),
                "CurrentTime;0_INVITE_Sent;0_INVITE_Retrans;1_200_Recv;1_200_Retrans;1_200_Unexp;\n"
                        + "x;10;2;10;3;1;\n");
        SippTables tables = SippTables.read(folder);
        assertThat(tables.retransmissionsSent()).isEqualTo(2);
        assertThat(tables.retransmissionsReceived()).isEqualTo(3);
        assertThat(tables.unexpected()).isEqualTo(1);
    }

    @Test
    void failuresHaveOurNames() throws IOException {
        Files.writeString(
                folder.resolve("uac_7107_.csv"),
                "TotalCallCreated;CurrentCall;SuccessfulCall(C);FailedCall(C);FailedMaxUDPRetrans(C);FailedUnexpectedMessage(C);\n"
                        + "20;3;8;9;4;3;\n");
        SippTables tables = SippTables.read(folder);
        assertThat(tables.failed())
                .isEqualTo(
                        Map.of(
                                FailureCauses.TIMEOUT,
                                4L,
                                FailureCauses.UNEXPECTED,
                                3L,
                                "other (SIPp)",
                                2L));
        assertThat(tables.held()).isEqualTo(3);
    }

    @Test
    void aLineThatIsBeingWrittenWaits() throws IOException {
        Files.writeString(folder.resolve("uac_7107_.csv"), "garbage;9", StandardOpenOption.APPEND);
        assertThat(SippTables.read(folder).made()).isEqualTo(60);
    }

    @Test
    void eachResponseTimeIsReadOnce() throws IOException {
        SippTables.ResponseTimes times = new SippTables.ResponseTimes();
        assertThat(times.next(folder)).hasSize(60).contains(0.0);
        assertThat(times.next(folder)).isEmpty();
        Files.writeString(
                folder.resolve("uac_7107_rtt.csv"),
                "999.001;7.5;1\n1000.",
                StandardOpenOption.APPEND);
        assertThat(times.next(folder)).containsExactly(7.5);
    }

    @Test
    void nothingIsReadBeforeSippHasWritten(@TempDir Path empty) throws IOException {
        assertThat(SippTables.read(empty)).isEqualTo(SippTables.NONE);
    }

    @Test
    void withoutSippThereIsOneSentence() throws IOException {
        LoadCommand command = new LoadCommand();
        new CommandLine(command).parseArgs("--plain");
        ScenarioRun run =
                new ScenarioRun(
                        command.settings(),
                        new ScenarioRun.Scenarios(
                                folder + "/no-sipp",
                                folder.resolve("uac.xml"),
                                null,
                                folder,
                                List.of()),
                        new PrintStream(new ByteArrayOutputStream()));
        assertThatThrownBy(run::run)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("scenarios need SIPp, which is not on PATH");
    }

    @Test
    void scenariosAreCheckedBeforeAnythingStarts() {
        LoadCommand command = new LoadCommand();
        new CommandLine(command).parseArgs("--scenario-uac", "/nonexistent/a.xml");
        assertThatThrownBy(command::settings)
                .hasMessage("there is no scenario file /nonexistent/a.xml");
        LoadCommand half = new LoadCommand();
        new CommandLine(half).parseArgs("--scenario-uas", "/nonexistent/a.xml");
        assertThatThrownBy(half::settings).hasMessage("--scenario-uas needs --scenario-uac");
    }
}
