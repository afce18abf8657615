package io.carillon.server.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.DeploymentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What follows from a look into the folder; no time passes. */
class DeployFolderTest {
    /** Writes down what it is asked; an archive's first line is its application's name. */
    private static final class Recording implements Deployer {
        final List<String> asked = new ArrayList<>();
        int version;

        /** Happens after the next deployment, before anybody hears of it. */
        Runnable meanwhile = () -> {};

        @Override
        public ApplicationStatus deploy(Path archive) throws DeploymentException {
            asked.add("deploy " + archive.getFileName());
            String name;
            try {
                name =
                        Files.isDirectory(archive)
                                ? archive.getFileName().toString()
                                : Files.readString(archive).lines().findFirst().orElse("");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            if (name.equals("broken")) {
                throw new DeploymentException(archive.getFileName().toString(), "is broken");
            }
            version++;
            ApplicationStatus status =
                    new ApplicationStatus(name, version, "started", 0, archive.toString());
            Runnable first = meanwhile;
            meanwhile = () -> {};
            first.run();
            return status;
        }

        @Override
        public ApplicationStatus replace(Path archive) {
            throw new AssertionError("nobody wants that of the folder");
        }

        @Override
        public boolean undeploy(String name, boolean now) {
            asked.add("undeploy " + name);
            return true;
        }

        @Override
        public List<ApplicationStatus> versions() {
            return List.of();
        }

        List<String> take() {
            List<String> taken = List.copyOf(asked);
            asked.clear();
            return taken;
        }
    }

    @TempDir Path temp;

    private final Recording deployer = new Recording();
    private int ticks;

    private void write(String name, String content) throws IOException {
        Path file = Files.writeString(temp.resolve(name), content);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L + ++ticks * 10));
    }

    private DeployFolder folder() {
        return new DeployFolder(temp, deployer, Runnable::run);
    }

    @Test
    void whatLiesThereIsDeployedInTheOrderOfNames() throws Exception {
        write("b.war", "b");
        write("a.sar", "a");
        write("notes.txt", "no archive");
        write(".c.war", "hidden");
        Files.createDirectories(temp.resolve("exploded/WEB-INF"));
        folder().begin();
        assertThat(deployer.take())
                .containsExactly("deploy a.sar", "deploy b.war", "deploy exploded");
    }

    /** As Maven leaves both in target. */
    @Test
    void anUnpackedFolderBesideItsArchiveIsNotDeployedToo() throws Exception {
        write("hello.war", "hello");
        Files.createDirectories(temp.resolve("hello/WEB-INF"));
        DeployFolder folder = folder();
        folder.begin();
        assertThat(deployer.take()).containsExactly("deploy hello.war");

        Files.writeString(temp.resolve("hello/WEB-INF/web.xml"), "built again");
        write("hello.war", "hello\nbuilt again");
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy hello.war");

        Files.delete(temp.resolve("hello.war"));
        folder.look();
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("undeploy hello", "deploy hello");
    }

    /** The folder is there first; its application goes over to the archive without a gap. */
    @Test
    void anArchiveThatComesBesideItsFolderTakesItsPlace() throws Exception {
        Files.createDirectories(temp.resolve("hello/WEB-INF"));
        DeployFolder folder = folder();
        folder.begin();
        write("hello.war", "hello");
        folder.look();
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy hello", "deploy hello.war");
    }

    @Test
    void aNewArchiveIsDeployedOnceItNoLongerChanges() throws Exception {
        DeployFolder folder = folder();
        folder.begin();
        write("a.war", "a");
        folder.look();
        write("a.war", "a\nmore");
        folder.look();
        write("a.war", "a\nmore and more");
        folder.look();
        assertThat(deployer.take()).isEmpty();
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy a.war");
    }

    @Test
    void aChangedArchiveIsDeployedAgainAndARemovedOneUndeployed() throws Exception {
        write("a.war", "a");
        DeployFolder folder = folder();
        folder.begin();
        deployer.take();
        write("a.war", "a");
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy a.war");
        Files.delete(temp.resolve("a.war"));
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("undeploy a");
    }

    @Test
    void aChangedFileInAnExplodedFolderDeploysItAgain() throws Exception {
        Files.createDirectories(temp.resolve("app/WEB-INF"));
        write("app/WEB-INF/sip.xml", "1");
        DeployFolder folder = folder();
        folder.begin();
        deployer.take();
        write("app/WEB-INF/sip.xml", "2");
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy app");
    }

    @Test
    void aBrokenArchiveIsTriedOnceUntilItChangesAndUndeploysNothing() throws Exception {
        write("a.war", "a");
        DeployFolder folder = folder();
        folder.begin();
        deployer.take();
        write("a.war", "broken");
        folder.look();
        folder.look();
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy a.war");
        write("a.war", "a\nmended");
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy a.war");
    }

    @Test
    void anArchiveThatTookTheNameOfAnotherKeepsItWhenThatOneGoes() throws Exception {
        write("a-1.war", "a");
        DeployFolder folder = folder();
        folder.begin();
        write("a-2.war", "a");
        folder.look();
        folder.look();
        deployer.take();
        Files.delete(temp.resolve("a-1.war"));
        folder.look();
        assertThat(deployer.take()).isEmpty();
        Files.delete(temp.resolve("a-2.war"));
        folder.look();
        assertThat(deployer.take()).containsExactly("undeploy a");
    }

    @Test
    void ofTwoArchivesOfOneNameDeployedAtOnceTheOneThatServesKeepsTheName() throws Exception {
        List<Runnable> atOnce = new ArrayList<>();
        DeployFolder folder = new DeployFolder(temp, deployer, atOnce::add);
        folder.begin();
        write("a-1.war", "a");
        write("a-2.war", "a");
        folder.look();
        folder.look();
        deployer.meanwhile = atOnce.get(1); // takes the place of the first, and is heard of first
        atOnce.get(0).run();
        folder.look();
        deployer.take();
        Files.delete(temp.resolve("a-1.war"));
        folder.look();
        assertThat(deployer.take()).as("the second one serves").isEmpty();
        Files.delete(temp.resolve("a-2.war"));
        folder.look();
        assertThat(deployer.take()).containsExactly("undeploy a");
    }

    @Test
    void anArchiveWhoseNewContentHasAnotherNameEndsTheOldOne() throws Exception {
        write("a.war", "a");
        DeployFolder folder = folder();
        folder.begin();
        deployer.take();
        write("a.war", "renamed");
        folder.look();
        folder.look();
        assertThat(deployer.take()).containsExactly("deploy a.war", "undeploy a");
    }

    @Test
    void aFolderThatIsAwayUndeploysNothing() throws Exception {
        Path inner = Files.createDirectory(temp.resolve("inner"));
        write("inner/a.war", "a");
        DeployFolder folder = new DeployFolder(inner, deployer, Runnable::run);
        folder.begin();
        deployer.take();
        Files.move(inner, temp.resolve("away"));
        folder.look();
        folder.look();
        assertThat(deployer.take()).isEmpty();
    }

    /** An application that starts slowly keeps no other waiting, and is not started twice. */
    @Test
    void anArchiveIsDeployedWhileAnotherOneStillStarts() throws Exception {
        List<Runnable> slow = new ArrayList<>();
        DeployFolder folder = new DeployFolder(temp, deployer, slow::add);
        folder.begin();
        write("a.war", "a");
        folder.look();
        folder.look();
        write("b.war", "b");
        folder.look();
        folder.look();
        folder.look();
        assertThat(slow).hasSize(2);
        slow.get(1).run();
        assertThat(deployer.take()).containsExactly("deploy b.war");
        Files.delete(temp.resolve("a.war"));
        folder.look();
        write("a.war", "a, another one");
        folder.look();
        folder.look();
        assertThat(slow).as("one deployment of an archive at a time").hasSize(2);
        slow.get(0).run();
        assertThat(deployer.take()).containsExactly("deploy a.war");
        folder.look();
        folder.look();
        assertThat(slow).as("it has changed meanwhile").hasSize(3);
    }
}
