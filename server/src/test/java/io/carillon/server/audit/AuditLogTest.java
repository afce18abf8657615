package io.carillon.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final AuditReader.Filter ALL = new AuditReader.Filter("", "", "", "", 100_000);
    private static final AuditTrail.Actor ANNA = new AuditTrail.Actor("anna", "token", "192.0.2.1");

    @TempDir private Path temporary;
    private long now = 1;

    private Path folder() {
        return temporary.resolve("audit");
    }

    private AuditTrail trail(long file, long all) {
        return new AuditTrail(new AuditLog(folder(), file, all), () -> now);
    }

    private static AuditTrail.Deed deed(String what) {
        return new AuditTrail.Deed(what, "shop", "now=true");
    }

    @Test
    void aChangeHasALineBeforeAndOneAfter() throws Exception {
        AuditTrail trail = trail(1 << 20, 1 << 24);

        trail.begin(ANNA, deed("undeploy"), "was").ended(true, 200, "", "is");
        trail.begin(ANNA, deed("deploy"), null).ended(false, 409, "no archive", null);

        List<AuditEntry> lines = AuditReader.read(folder(), ALL);
        assertThat(lines)
                .extracting(AuditEntry::stage)
                .containsExactly("begun", "done", "begun", "failed");
        AuditEntry done = lines.get(1);
        assertThat(done.id()).isEqualTo(lines.get(0).id()).isNotEqualTo(lines.get(2).id());
        assertThat(done.who()).isEqualTo("anna");
        assertThat(done.from()).isEqualTo("192.0.2.1");
        assertThat(done.on()).isEqualTo("shop");
        assertThat(done.before()).isEqualTo("was");
        assertThat(done.after()).isEqualTo("is");
        assertThat(lines.get(3).result()).isEqualTo("no archive");
    }

    @Test
    void filtersAndTheLastOnes() throws Exception {
        AuditTrail trail = trail(1 << 20, 1 << 24);
        for (int i = 0; i < 10; i++) {
            trail.begin(ANNA, deed("deploy" + i), null).ended(true, 200, "", null);
        }
        assertThat(read(new AuditReader.Filter("anna", "deploy3", "done", "", 10))).hasSize(1);
        assertThat(read(new AuditReader.Filter("bert", "", "", "", 10))).isEmpty();
        assertThat(read(new AuditReader.Filter("", "", "", "2100-01-01", 10))).isEmpty();
        assertThat(read(new AuditReader.Filter("", "", "done", "", 2)))
                .extracting(AuditEntry::what)
                .containsExactly("deploy8", "deploy9");
    }

    private List<AuditEntry> read(AuditReader.Filter filter) throws IOException {
        return AuditReader.read(folder(), filter);
    }

    @Test
    void aFullFileIsClosedAndTheOldestOnesGo() throws Exception {
        AuditTrail trail = trail(4_096, 20_000);
        for (int i = 0; i < 200; i++) {
            trail.begin(ANNA, deed("deploy"), null).ended(true, 200, "", null);
        }
        List<Path> files = AuditReader.files(folder());
        assertThat(files).hasSizeBetween(3, 6);
        long sum = 0;
        for (Path file : files) {
            sum += Files.size(file);
            assertThat(Files.size(file)).isLessThanOrEqualTo(4_096);
        }
        assertThat(sum).isLessThanOrEqualTo(20_000);
        assertThat(AuditReader.verify(folder()).fault()).isNull();
        assertThat(read(new AuditReader.Filter("", "", "", "", 30))).hasSize(30);
    }

    @Test
    void aLineThatWasChangedOrTakenOutShows() throws Exception {
        AuditTrail trail = trail(1 << 20, 1 << 24);
        for (int i = 0; i < 5; i++) {
            trail.begin(ANNA, deed("deploy"), null).ended(true, 200, "", null);
        }
        Path file = folder().resolve(AuditLog.CURRENT);
        List<String> lines = Files.readAllLines(file);
        assertThat(AuditReader.verify(folder()).lines()).isEqualTo(10);

        Files.writeString(file, String.join("\n", lines).replaceFirst("anna", "bert") + "\n");
        assertThat(AuditReader.verify(folder()).fault()).contains(":2:");

        lines.remove(4);
        Files.writeString(file, String.join("\n", lines) + "\n");
        assertThat(AuditReader.verify(folder()).fault()).contains(":5:");
    }

    @Test
    void twoThatWriteKeepOneChain() throws Exception {
        AuditTrail one = trail(4_096, 1 << 20);
        AuditTrail other = trail(4_096, 1 << 20);
        for (int i = 0; i < 20; i++) {
            one.begin(ANNA, deed("one"), null).ended(true, 200, "", null);
            other.begin(ANNA, deed("other"), null).ended(true, 200, "", null);
        }
        AuditReader.Verdict verdict = AuditReader.verify(folder());
        assertThat(verdict.fault()).isNull();
        assertThat(verdict.lines()).isEqualTo(80);
    }

    @Test
    void aLineThatWasCutOffStaysAndTheNextOneIsWhole() throws Exception {
        trail(1 << 20, 1 << 24).begin(ANNA, deed("deploy"), null);
        Files.writeString(
                folder().resolve(AuditLog.CURRENT),
                "{\"entry\":{\"time\":\"20",
                StandardOpenOption.APPEND);

        trail(1 << 20, 1 << 24).begin(ANNA, deed("undeploy"), null);

        assertThat(read(ALL)).extracting(AuditEntry::what).containsExactly("deploy", "undeploy");
        AuditReader.Verdict verdict = AuditReader.verify(folder());
        assertThat(verdict.fault()).isNull();
        assertThat(verdict.torn()).isEqualTo(1);
    }

    @Test
    void refusalsAreWrittenAndAFloodOfThemIsCounted() throws Exception {
        AuditTrail trail = trail(1 << 20, 1 << 24);
        AuditTrail.Actor stranger = new AuditTrail.Actor("", "none", "198.51.100.1");
        for (int i = 0; i < 1_000; i++) {
            trail.refused(stranger, deed("logIn"), 401, "no");
        }
        trail.refused(ANNA, deed("deploy"), 403, "needs deployer");

        List<AuditEntry> lines = read(ALL);
        assertThat(lines).hasSize(21);
        assertThat(lines.getLast().who()).isEqualTo("anna");
        assertThat(lines.getLast().stage()).isEqualTo("refused");
        assertThat(lines.getLast().unwritten()).isEqualTo(980);
        now += TimeUnit.MINUTES.toNanos(5);
        trail.refused(stranger, deed("logIn"), 401, "no");
        assertThat(read(ALL)).hasSize(22);
    }

    @Test
    void hostileTextIsOneLineAndCut() throws Exception {
        AuditTrail trail = trail(1 << 20, 1 << 24);
        String name = "a\n\u202e<script>\u0000" + "x".repeat(100_000);

        trail.refused(new AuditTrail.Actor(name, "none", "x"), deed("logIn"), 401, "no");

        assertThat(Files.readAllLines(folder().resolve(AuditLog.CURRENT))).hasSize(1);
        assertThat(read(ALL).getFirst().who()).hasSizeLessThan(5_000).startsWith("a\n\u202e<");
    }

    @Test
    void whatCannotBeWrittenDoesNotBegin() throws Exception {
        Files.writeString(temporary.resolve("file"), "no folder");
        AuditTrail trail =
                new AuditTrail(
                        new AuditLog(temporary.resolve("file").resolve("audit"), 4_096, 8_192),
                        () -> now);
        assertThatThrownBy(() -> trail.begin(ANNA, deed("deploy"), null))
                .isInstanceOf(IOException.class);
    }

    /** Writes until somebody kills it; tells each line that is on the disk. */
    public static final class Writer {
        private Writer() {}

        public static void main(String[] args) throws Exception {
            AuditTrail trail =
                    new AuditTrail(new AuditLog(Path.of(args[0]), 64 << 10, 1 << 24), () -> 1);
            for (int i = 0; ; i++) {
                trail.begin(ANNA, deed("change" + i), null).ended(true, 200, "", null);
                System.out.println(i);
                System.out.flush();
            }
        }
    }

    @Test
    void everyLineThatWasToldOutlivesAKill() throws Exception {
        Process writer =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Writer.class.getName(),
                                folder().toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        int told = -1;
        try (BufferedReader in = writer.inputReader(StandardCharsets.UTF_8)) {
            while (told < 300) {
                told = Integer.parseInt(in.readLine());
            }
            writer.toHandle().destroyForcibly(); // SIGKILL; what it told stays to be read
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                told = Integer.parseInt(line);
            }
        }
        assertThat(writer.waitFor(10, TimeUnit.SECONDS)).isTrue();

        List<String> done =
                read(new AuditReader.Filter("", "", "done", "", 100_000)).stream()
                        .map(AuditEntry::what)
                        .toList();
        for (int i = 0; i <= told; i++) {
            assertThat(done).contains("change" + i);
        }
        assertThat(AuditReader.verify(folder()).fault()).isNull();
        trail(64 << 10, 1 << 24).begin(ANNA, deed("after"), null);
        assertThat(AuditReader.verify(folder()).fault()).isNull();
    }
}
