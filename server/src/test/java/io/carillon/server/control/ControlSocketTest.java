package io.carillon.server.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlSocketTest {
    @Test
    void commandsAreAnsweredAndOnlyTheOwnerMayAsk(@TempDir Path temp) throws Exception {
        ControlFolder folder = ControlFolder.of(temp.resolve("control"), temp);
        String large = "x".repeat(100_000);
        try (ControlSocket socket =
                ControlSocket.open(folder, Map.of("status", nothing -> large))) {
            assertThat(socket).isNotNull();
            Path path = ControlClient.running(folder).getFirst();

            assertThat(ControlClient.ask(path, "status")).isEqualTo(large);
            assertThatThrownBy(() -> ControlClient.ask(path, "format"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("unknown command");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(temp.resolve("control"))))
                    .isEqualTo("rwx------");
        }
        assertThat(ControlClient.running(folder)).isEmpty();
        assertThat(folder.sockets()).isEmpty();
    }

    @Test
    void socketsOfDeadServersAreRemoved(@TempDir Path temp) throws Exception {
        ControlFolder folder = ControlFolder.of(temp.resolve("control"), temp);
        folder.create();
        Files.createFile(folder.socket(1));

        ControlSocket.open(folder, Map.of()).close();

        assertThat(folder.sockets()).isEmpty();
    }

    @Test
    void aFolderOpenToOthersIsClosed(@TempDir Path temp) throws Exception {
        Path wide =
                Files.createDirectory(
                        temp.resolve("control"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwxr-xr-x")));

        ControlFolder.of(wide, temp).create();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(wide)))
                .isEqualTo("rwx------");
    }

    @Test
    void aPathTooLongForASocketIsReplaced(@TempDir Path temp) {
        Path home = temp.resolve("h".repeat(120));

        assertThat(ControlFolder.of(null, home).socket(1234567).toString().length())
                .isLessThanOrEqualTo(100);
    }

    @Test
    void theClientTrustsNoFolderThatOthersMayChange(@TempDir Path temp) throws Exception {
        ControlFolder folder = ControlFolder.of(temp.resolve("control"), temp);
        try (ControlSocket socket = ControlSocket.open(folder, Map.of())) {
            assertThat(socket).isNotNull();
            Files.setPosixFilePermissions(
                    temp.resolve("control"), PosixFilePermissions.fromString("rwxrwxrwx"));

            assertThatThrownBy(() -> ControlClient.running(folder))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(temp.resolve("control").toString())
                    .hasMessageContaining("rwxrwxrwx");
        }
    }

    @Test
    void neitherSideFollowsALink(@TempDir Path temp) throws Exception {
        Path real =
                Files.createDirectory(
                        temp.resolve("real"),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        ControlFolder folder =
                ControlFolder.of(Files.createSymbolicLink(temp.resolve("link"), real), temp);

        assertThatThrownBy(() -> ControlClient.running(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("link is a symbolic link");
        assertThatThrownBy(() -> ControlSocket.open(folder, Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("link is a symbolic link");
    }
}
