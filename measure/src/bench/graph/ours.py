"""Our side of the workload, asked what the peers are asked: they count distinct ends inside of the database."""

from .ours_plain import Ours as Plain


class Ours(Plain):
    def m(self, query, /, **params):
        self.D(op="mutate", name=query, params=params)

    def c1(self, i):
        return self.q("c1", id=self.s(i))[0][0]

    def c2(self, i):
        return self.q("c2", id=self.s(i))[0][0]

    def c3(self, i):
        return self.q("c3", id=self.s(i))[0][0]

    def d(self, i):
        return self.q("d", id=self.s(i))[0][0]
