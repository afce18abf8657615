package io.carillon.servlet.feature.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.feature.security.CachedUsers.Answer;
import io.carillon.servlet.feature.security.UserStore.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What is remembered of users, and how much the store is asked for. */
class CachedUsersTest {
    private final List<String> asked = new ArrayList<>();
    private long now = 1_000_000;
    private final CachedUsers users = new CachedUsers(10, 2, () -> now);

    private User find(String realm, String name) {
        asked.add(name);
        return name.startsWith("user") ? new User(name, Map.of(), Set.of()) : null;
    }

    @Test
    void inventedNamesPushOutNoUser() {
        users.store(this::find);
        for (int i = 0; i < 10; i++) {
            users.find("r", "user" + i);
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(users.find("r", "nobody" + i).user()).isNull();
        }
        asked.clear();
        for (int i = 0; i < 10; i++) {
            assertThat(users.find("r", "user" + i).user()).isNotNull();
        }
        assertThat(asked).isEmpty();
        assertThat(users.size()).isEqualTo(12);
        assertThat(users.forgotten()).isEqualTo(998);
    }

    /** The pool of connections is exhausted: that is no fault of the server. */
    @Test
    void aStoreWithoutTimeIsBusyAndNothingIsRemembered() {
        users.store((realm, name) -> {
            throw new UserStore.Busy("no connection", new IllegalStateException());
        });
        assertThat(users.find("r", "user1").busy()).isTrue();
        assertThat(users.refused()).isEqualTo(1);
        assertThat(users.peek("r", "user1")).isNull();
        assertThat(users.size()).isZero();
    }

    @Test
    void aNameThatDoesNotExistIsRememberedToo() {
        users.store(this::find);
        users.find("r", "nobody");
        users.find("r", "nobody");
        assertThat(asked).containsExactly("nobody");
        now += 60_000;
        users.find("r", "nobody");
        assertThat(asked).hasSize(2);
    }

    @Test
    void theStoreIsAskedForSoManyNamesAtOnceAndForOneNameOnce() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch done = new CountDownLatch(1);
        users.store((realm, name) -> {
            begun.countDown();
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new User(name, Map.of(), Set.of());
        });
        CompletableFuture<Answer> one = new CompletableFuture<>();
        CompletableFuture<Answer> two = new CompletableFuture<>();
        CompletableFuture<Answer> again = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> one.complete(users.find("r", "one")));
        Thread.ofVirtual().start(() -> two.complete(users.find("r", "two")));
        begun.await();
        assertThat(users.find("r", "three").busy()).isTrue();
        assertThat(users.refused()).isEqualTo(1);
        Thread.ofVirtual().start(() -> again.complete(users.find("r", "two")));
        done.countDown();
        assertThat(one.get().user()).isNotNull();
        assertThat(again.get()).isSameAs(two.get());
        assertThat(users.find("r", "three").user()).isNotNull();
    }

    @Test
    void aStoreThatFailedIsAskedAgain() {
        users.store((realm, name) -> {
            throw new IllegalStateException("no database");
        });
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> users.find("r", "one"))
                    .isInstanceOf(IllegalStateException.class);
        }
        users.store(this::find);
        assertThat(users.find("r", "user").user()).isNotNull();
    }
}
