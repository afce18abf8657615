package io.carillon.server.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.data.UserRequests.Action;
import io.carillon.server.data.UserRequests.Asked;
import io.carillon.sip.auth.DigestAlgorithm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users in the embedded database: what is stored, what is refused, what a restart finds. */
class UserRequestsTest {
    @TempDir Path folder;

    private Database database;
    private SqlUsers users;
    private UserRequests requests;

    @BeforeEach
    void open() {
        database = new Database(ConfigurationReader.standard().database(), folder);
        users = new SqlUsers(database);
        requests = new UserRequests(users, "carillon", database.place());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private String ask(Action action, String name, String password, List<String> roles)
            throws ControlFailure {
        return requests.answer(new Asked(action, null, name, password, roles, null).line());
    }

    private List<String> page(String text, int limit, SqlUsers.Listed after) throws Exception {
        String answer = requests.answer(Asked.of(new UserRequests.Page(text, limit, after)).line());
        return UserRequests.readList(answer).stream()
                .map(one -> one.realm() + "/" + one.name() + one.roles())
                .toList();
    }

    @Test
    void aPageBeginsBehindTheLastOneOfThePageBefore() throws Exception {
        SqlUsers.Listed none = new SqlUsers.Listed("", "", List.of());
        for (String name : List.of("dora", "anna", "Bert_1", "carl")) {
            ask(Action.ADD, name, "secret", List.of("staff", "admin"));
        }
        users.add("another", "anna", "secret", Set.of());
        assertThat(page("", 2, none))
                .containsExactly("another/anna[]", "carillon/Bert_1[admin, staff]");
        assertThat(page("", 2, new SqlUsers.Listed("carillon", "Bert_1", List.of())))
                .containsExactly("carillon/anna[admin, staff]", "carillon/carl[admin, staff]");
        assertThat(page("", 2, new SqlUsers.Listed("carillon", "carl", List.of())))
                .containsExactly("carillon/dora[admin, staff]");
        assertThat(page("T_1", 9, none)).containsExactly("carillon/Bert_1[admin, staff]");
        assertThat(page("ANOTH", 9, none)).containsExactly("another/anna[]");
        assertThat(page("%", 9, none)).as("no sign stands for others").isEmpty();
    }

    /** Somebody names the file of another server: its users are not these. */
    @Test
    void usersOfAnotherDatabaseAreNotAddedHere() throws Exception {
        Asked asked = new Asked(Action.ADD, null, "alice", "one", List.of(), null);
        assertThatThrownBy(() -> requests.answer(asked.of("jdbc:h2:/elsewhere").line()))
                .isInstanceOf(ControlFailure.class)
                .hasMessageContaining("keeps its users in H2 in " + folder)
                .hasMessageContaining("--config names jdbc:h2:/elsewhere");
        assertThat(users.list()).isEmpty();
        requests.answer(asked.of(database.place()).line());
        assertThat(users.find("carillon", "alice")).isNotNull();
    }

    @Test
    void aDatabaseThatNobodyNeedsIsNotMade() {
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aUserIsStoredAsDigestsAndNeverAsPassword() throws Exception {
        ask(Action.ADD, "alice", "se cret:\u00e4", List.of("staff", "admin"));
        var found = users.find("carillon", "alice");
        assertThat(found.roles()).containsExactlyInAnyOrder("staff", "admin");
        assertThat(found.ha1()).hasSize(3);
        assertThat(found.ha1().get(DigestAlgorithm.SHA_256))
                .isEqualTo(DigestAlgorithm.SHA_256.ha1("alice", "carillon", "se cret:\u00e4"));
        database.close();
        for (Path file : Files.list(folder).toList()) {
            assertThat(
                            new String(
                                    Files.readAllBytes(file),
                                    java.nio.charset.StandardCharsets.ISO_8859_1))
                    .doesNotContain("se cret");
        }
    }

    @Test
    void aRestartFindsWhatWasWritten() throws Exception {
        ask(Action.ADD, "alice", "one", List.of());
        close();
        open();
        assertThat(users.find("carillon", "alice")).isNotNull();
        assertThat(ask(Action.LIST, null, null, null))
                .isEqualTo("[{\"realm\":\"carillon\",\"name\":\"alice\",\"roles\":[]}]");
    }

    @Test
    void eachUserIsListedOnceWithAllOfItsRoles() throws Exception {
        ask(Action.ADD, "bob", "one", List.of());
        ask(Action.ADD, "alice", "one", List.of("staff", "admin"));
        users.add("another", "bob", "one", Set.of("staff"));
        assertThat(users.list())
                .containsExactly(
                        new SqlUsers.Listed("another", "bob", List.of("staff")),
                        new SqlUsers.Listed("carillon", "alice", List.of("admin", "staff")),
                        new SqlUsers.Listed("carillon", "bob", List.of()));
    }

    @Test
    void passwordAndRolesChangeAndWhoRemembersIsTold() throws Exception {
        AtomicInteger told = new AtomicInteger();
        users.onChange(told::incrementAndGet);
        ask(Action.ADD, "alice", "one", List.of("a"));
        ask(Action.PASSWD, "alice", "two", null);
        ask(Action.ROLES, "alice", null, List.of("b"));
        var found = users.find("carillon", "alice");
        assertThat(found.roles()).containsExactly("b");
        assertThat(found.ha1().get(DigestAlgorithm.MD5))
                .isEqualTo(DigestAlgorithm.MD5.ha1("alice", "carillon", "two"));
        ask(Action.REMOVE, "alice", null, null);
        assertThat(users.find("carillon", "alice")).isNull();
        assertThat(told).hasValue(4);
    }

    @Test
    void whatCannotBeDoneIsOneSentence() throws Exception {
        ask(Action.ADD, "alice", "one", List.of());
        assertThatThrownBy(() -> ask(Action.ADD, "alice", "one", List.of()))
                .isInstanceOf(ControlFailure.class)
                .hasMessage("user alice exists in realm carillon already");
        assertThatThrownBy(() -> ask(Action.REMOVE, "bob", null, null))
                .hasMessage("there is no user bob in realm carillon");
        assertThatThrownBy(() -> ask(Action.ADD, "bob", "", List.of()))
                .hasMessage("the password is empty");
        assertThatThrownBy(() -> ask(Action.ADD, "b:b", "x", List.of()))
                .hasMessage("the name 'b:b' has a character that is not allowed");
        assertThatThrownBy(() -> requests.answer("{"))
                .hasMessage("the request for users cannot be read");
    }

    @Test
    void aBrokenDatabaseIsToldInOneSentence() throws Exception {
        try (Connection held = database.dataSource().getConnection();
                Database other =
                        new Database(
                                ConfigurationReader.standard().database(), folder.resolve("x"))) {
            assertThat(held.isValid(1)).isTrue();
            Files.createDirectories(folder.resolve("x"));
            Files.writeString(folder.resolve("x/carillon.mv.db"), "broken");
            assertThatThrownBy(() -> other.dataSource().getConnection())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("cannot be opened")
                    .hasMessageNotContaining("\n");
        }
    }
}
