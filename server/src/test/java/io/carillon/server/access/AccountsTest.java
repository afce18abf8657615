package io.carillon.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder;
import org.springframework.security.crypto.password.Pbkdf2PasswordEncoder.SecretKeyFactoryAlgorithm;

class AccountsTest {
    private static final String PASSWORD = "correct horse battery";

    @TempDir private Path temporary;
    private Path folder;
    private Accounts accounts;
    private Instant now = Instant.parse("2026-11-26T08:00:00Z");

    @BeforeEach
    void open() {
        folder = temporary.resolve("admin");
        accounts = open(folder);
    }

    private Accounts open(Path where) {
        Passwords quick =
                new Passwords(
                        new Pbkdf2PasswordEncoder(
                                "", 16, 1_000, SecretKeyFactoryAlgorithm.PBKDF2WithHmacSHA256));
        return new Accounts(new AccountFile(where), quick, clock());
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    @Test
    void thereIsNoAccountAndNoPasswordToBeginWith() throws Exception {
        assertThat(accounts.none()).isTrue();
        assertThat(accounts.password("admin", "admin".toCharArray())).isFalse();
        assertThat(folder).doesNotExist();
    }

    @Test
    void aPasswordIsKeptAsAHashAndTheFileIsItsOwnersAlone() throws Exception {
        accounts.add("anna", Set.of(Role.ADMIN), PASSWORD);

        assertThat(accounts.password("anna", PASSWORD.toCharArray())).isTrue();
        assertThat(accounts.password("anna", "correct horse batterx".toCharArray())).isFalse();
        Path file = folder.resolve("accounts.json");
        assertThat(Files.readString(file)).contains("{pbkdf2").doesNotContain(PASSWORD);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                .isEqualTo("rwx------");
    }

    @Test
    void whatAnotherProcessWroteCounts() throws Exception {
        accounts.add("anna", Set.of(Role.ADMIN), PASSWORD);
        Accounts other = open(folder);
        assertThat(other.roles("anna")).containsExactly(Role.ADMIN);

        other.add("bert", Set.of(Role.VIEWER), PASSWORD);

        assertThat(accounts.roles("bert")).containsExactly(Role.VIEWER);
    }

    @Test
    void shortPasswordsBadNamesAndNoRoleAreRefused() {
        assertThatThrownBy(() -> accounts.add("anna", Set.of(Role.ADMIN), "short"))
                .hasMessageContaining("12 to 200 characters");
        assertThatThrownBy(() -> accounts.add("an na", Set.of(Role.ADMIN), PASSWORD))
                .hasMessageContaining("'an na'");
        assertThatThrownBy(() -> accounts.add("anna", Set.of(), PASSWORD))
                .hasMessageContaining("viewer, operator, deployer, admin");
        assertThatThrownBy(() -> Role.of("root"))
                .hasMessageContaining("viewer, operator, deployer, admin");
    }

    @Test
    void theLastAdminStays() throws Exception {
        accounts.add("anna", Set.of(Role.ADMIN), PASSWORD);
        accounts.add("bert", Set.of(Role.VIEWER), PASSWORD);

        assertThatThrownBy(() -> accounts.remove("anna")).hasMessageContaining("last account");
        assertThatThrownBy(() -> accounts.roles("anna", Set.of(Role.OPERATOR)))
                .hasMessageContaining("last account");
        accounts.roles("bert", Set.of(Role.ADMIN));
        accounts.remove("anna");
        assertThat(accounts.list()).extracting(Accounts.Shown::name).containsExactly("bert");
    }

    @Test
    void aTokenIsItsAccountsUntilItIsOverOrRevoked() throws Exception {
        accounts.add("anna", EnumSet.of(Role.OPERATOR, Role.DEPLOYER), PASSWORD);
        Accounts.Made made = accounts.token("anna", Set.of(), "ci", Duration.ofHours(1));

        Caller caller = Objects.requireNonNull(accounts.bearer(made.token()));
        assertThat(caller.name()).isEqualTo("anna");
        assertThat(caller.roles()).containsExactlyInAnyOrder(Role.OPERATOR, Role.DEPLOYER);
        assertThat(Files.readString(folder.resolve("accounts.json")))
                .doesNotContain(made.token().substring(made.token().lastIndexOf('_') + 1));

        assertThat(accounts.bearer(made.token() + "x")).isNull();
        assertThat(accounts.bearer("carillon_" + made.shown().id() + "_x")).isNull();
        now = now.plus(Duration.ofHours(1));
        assertThat(accounts.bearer(made.token())).isNull();

        Accounts.Made second = accounts.token("anna", Set.of(), "", Duration.ofDays(1));
        accounts.revoke(second.shown().id());
        assertThat(accounts.bearer(second.token())).isNull();
    }

    @Test
    void aTokenHasNoMoreThanItsAccountHasNow() throws Exception {
        accounts.add("root", Set.of(Role.ADMIN), PASSWORD);
        accounts.add("anna", Set.of(Role.OPERATOR), PASSWORD);
        Accounts.Made made = accounts.token("anna", Set.of(Role.OPERATOR), "", Duration.ofHours(1));
        assertThatThrownBy(
                        () -> accounts.token("anna", Set.of(Role.ADMIN), "", Duration.ofHours(1)))
                .hasMessageContaining("cannot lend");

        accounts.roles("anna", Set.of(Role.VIEWER));

        assertThat(Objects.requireNonNull(accounts.bearer(made.token())).may(Role.OPERATOR))
                .isFalse();
        accounts.remove("anna");
        assertThat(accounts.bearer(made.token())).isNull();
        assertThat(accounts.tokens(null)).isEmpty();
    }

    @Test
    void tokensOfAnAccountAreBounded() throws Exception {
        accounts.add("anna", Set.of(Role.ADMIN), PASSWORD);
        for (int i = 0; i < 50; i++) {
            accounts.token("anna", Set.of(), "", Duration.ofHours(1));
        }
        assertThatThrownBy(() -> accounts.token("anna", Set.of(), "", Duration.ofHours(1)))
                .hasMessageContaining("50 tokens");
        now = now.plus(Duration.ofHours(2)); // those are over, and make room
        accounts.token("anna", Set.of(), "", Duration.ofHours(1));
        assertThat(accounts.tokens("anna")).hasSize(1);
    }

    @Test
    void rolesHoldWhatTheyHold() {
        for (Role role : Role.values()) {
            assertThat(role.within(Set.of(Role.ADMIN))).isTrue();
            assertThat(Role.VIEWER.within(Set.of(role))).isTrue();
            assertThat(role.within(Set.of())).isFalse();
        }
        assertThat(Role.OPERATOR.within(Set.of(Role.DEPLOYER))).isFalse();
        assertThat(Role.DEPLOYER.within(Set.of(Role.OPERATOR))).isFalse();
        assertThat(Role.list(EnumSet.allOf(Role.class)))
                .isEqualTo(List.of("viewer", "operator", "deployer", "admin"));
    }
}
